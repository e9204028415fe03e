// The calls of the bench: about 2 KB each, like those of an agent that talks to a model.
import { randomUUID } from 'node:crypto';

const WORDS =
  'the order was sent on its way to you by our partner and will arrive within two working days thanks'.split(' ');

export const words = (count) =>
  Array.from({ length: count }, () => WORDS[Math.floor(Math.random() * WORDS.length)]).join(' ');

export function makeCall(projectId) {
  const [started, ended] = [Date.now(), Date.now() + 1234].map((time) =>
    new Date(time).toISOString().replace('Z', '456Z'),
  );
  const key = { project_id: projectId, id: randomUUID() };
  const start = {
    ...key,
    trace_id: randomUUID(),
    parent_id: randomUUID(),
    op_name: `weave:///${projectId}/op/answer_question:1aQ`,
    started_at: started,
    attributes: { env: 'production', weave: { client_version: '0.51.0', source: 'python-sdk' } },
    inputs: {
      model: 'gpt-4o-mini',
      messages: [
        { role: 'system', content: words(70) },
        { role: 'user', content: words(60) },
      ],
    },
  };
  const end = {
    ...key,
    ended_at: ended,
    exception: null,
    output: { choices: [{ message: { role: 'assistant', content: words(120) }, finish_reason: 'stop' }] },
    summary: {
      usage: { 'gpt-4o-mini': { requests: 1, prompt_tokens: 131, completion_tokens: 120 } },
      status_counts: { success: 1, error: 0 },
    },
  };
  return { start, end };
}

/** As `/call/upsert_batch` takes them: a start and an end of each call. */
export const upsertBody = (calls) =>
  Buffer.from(
    JSON.stringify({
      batch: calls.flatMap(({ start, end }) => [
        { mode: 'start', req: { start } },
        { mode: 'end', req: { end } },
      ]),
    }),
  );

/** As `/v2/.../calls/complete` takes them. */
export const completeBody = (calls) =>
  Buffer.from(JSON.stringify({ batch: calls.map(({ start, end }) => ({ ...start, ...end })) }));

const COLUMNS = [
  'project_id',
  'id',
  'trace_id',
  'parent_id',
  'op_name',
  'started_at',
  'ended_at',
  'wb_user_id',
  'attributes',
  'inputs',
  'output',
  'summary',
];

/** One INSERT of all the calls, with a parameter for each value: what a careful program without the API would send. */
export function multiRowInsert(projectNumber, calls) {
  const rows = calls.map((_, row) => `(${COLUMNS.map((_, i) => `$${row * COLUMNS.length + i + 1}`).join(',')})`);
  const values = calls.flatMap(({ start, end }) => [
    projectNumber,
    start.id,
    start.trace_id,
    start.parent_id,
    start.op_name,
    start.started_at,
    end.ended_at,
    'admin',
    JSON.stringify(start.attributes),
    JSON.stringify(start.inputs),
    JSON.stringify(end.output),
    JSON.stringify(end.summary),
  ]);
  return { text: `INSERT INTO calls (${COLUMNS.join(',')}) VALUES ${rows.join(',')}`, values };
}
