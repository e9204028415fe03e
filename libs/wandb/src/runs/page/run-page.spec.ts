import type { RunSource } from '../run-source.js';
import { runPage } from './run-page.js';

const source = (run: object): RunSource =>
  ({
    project: { id: 1, teamId: 't', entity: 'weavers', name: 'loom' },
    run: {
      name: 'r1',
      displayName: 'first',
      state: 'FINISHED',
      createdBy: 'ada',
      createdAt: new Date(0),
      tags: ['a', 'b'],
      notes: null,
      config: '{"lr": 1}',
      summary: '{}',
      ...run,
    },
  }) as unknown as RunSource;

describe('the page of a run', () => {
  it('says what it is and where the rest is', () => {
    const html = runPage(source({}));
    expect(html).toContain('<h1>first · weavers/loom</h1>');
    expect(html).toContain('<td>finished</td>');
    expect(html).toContain('{&quot;lr&quot;: 1}');
    expect(html).toContain('href="/v1/projects/weavers/loom/runs/r1/history"');
  });

  it('shows as text whatever a program wrote', () => {
    const evil = `<script>alert("x")</script>'&`;
    const html = runPage(
      source({ displayName: evil, notes: evil, config: evil, summary: evil, tags: [evil], name: evil }),
    );
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;');
    expect(html).toContain(`/runs/${encodeURIComponent(evil).replaceAll("'", '&#39;')}/chart`);
  });
});
