import type { RunSource } from '../run-source.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

const row = (name: string, html: string): string => `<tr><th>${name}</th><td>${html}</td></tr>`;

/** A page about a run for people: what it is, its chart, and where the rest is. It loads nothing from elsewhere. */
export function runPage({ run, project }: RunSource): string {
  const path = [project.entity, project.name].map(encodeURIComponent).join('/');
  const rest = `/v1/projects/${path}/runs/${encodeURIComponent(run.name)}`;
  const title = `${run.displayName} · ${project.entity}/${project.name}`;
  const rows = [
    row('Run', escape(run.name)),
    row('State', escape(run.state.toLowerCase())),
    row('By', escape(run.createdBy)),
    row('Since', run.createdAt.toISOString()),
    row('Tags', escape(run.tags.join(', '))),
    row('Notes', escape(run.notes ?? '')),
    row('Configuration', `<pre>${escape(run.config)}</pre>`),
    row('Summary', `<pre>${escape(run.summary)}</pre>`),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escape(title)}</title>
<style>body{font-family:sans-serif;margin:2em}th{text-align:left;vertical-align:top;padding-right:2em}pre{margin:0;white-space:pre-wrap}img{max-width:100%}</style>
</head>
<body>
<h1>${escape(title)}</h1>
<table>
${rows.join('\n')}
</table>
<p><img src="${escape(rest)}/chart" alt="Chart of the run's metrics"></p>
<p>By the REST API: <a href="${escape(rest)}">the run</a>, <a href="${escape(rest)}/history">its history</a>,
<a href="${escape(rest)}/summary">summaries of its metrics</a>; <a href="/docs">all routes</a>.</p>
</body>
</html>
`;
}
