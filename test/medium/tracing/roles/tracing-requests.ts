import { createHash } from 'node:crypto';

/** A valid request to one route; a body that is an object gets the project's id in. */
export interface TracingRequest {
  method?: 'GET' | 'PUT';
  path: string;
  body?: object | FormData;
  headers?: Record<string, string>;
}

const time = '2026-01-31T12:00:00Z';
const byId = { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'a' }] } };
const tags = '/objs/prompt/versions/v0/tags';
/** Digest of the table without rows. */
const noRows = createHash('sha256').digest('hex');

/** Of every route that changes something, for a project that holds the object `prompt` and a table without rows. */
export function writes(projectId: string): TracingRequest[] {
  const start = { project_id: projectId, id: 'new', trace_id: 'trace', op_name: 'op', started_at: time };
  const end = { project_id: projectId, id: 'new', ended_at: time };
  const feedback = {
    project_id: projectId,
    weave_ref: `weave:///${projectId}/call/c`,
    feedback_type: 'a',
    payload: {},
  };
  const span = {
    traceId: '1'.repeat(32),
    spanId: '1'.repeat(16),
    name: 'op',
    startTimeUnixNano: '1',
    endTimeUnixNano: '2',
  };
  const spans = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
  const otel = { body: spans, headers: { project_id: projectId, 'content-type': 'application/json' } };
  const complete = { ...start, ...end, attributes: {}, inputs: {}, summary: {} };
  return [
    { path: '/call/upsert_batch', body: { batch: [{ mode: 'start', req: { start } }] } },
    { path: '/call/start', body: { start } },
    { path: '/call/end', body: { end } },
    { path: `/v2/${projectId}/calls/complete`, body: { batch: [complete] } },
    { path: `/v2/${projectId}/call/start`, body: { start } },
    { path: `/v2/${projectId}/call/end`, body: { end } },
    { path: '/call/update', body: { call_id: 'call', display_name: 'name' } },
    { path: '/calls/delete', body: { call_ids: ['none'] } },
    { path: '/otel/v1/traces', ...otel },
    { path: '/agents/otel/v1/traces', ...otel },
    { path: '/obj/create', body: { obj: { project_id: projectId, object_id: 'o', val: {} } } },
    { path: '/obj/delete', body: { object_id: 'prompt', digests: ['v0'] } },
    { path: tags, method: 'PUT', body: { tags: ['a'] } },
    { path: `${tags}/remove`, body: { tags: ['a'] } },
    { path: '/objs/prompt/aliases', method: 'PUT', body: { digest: 'v0', aliases: ['a'] } },
    { path: '/objs/prompt/aliases/remove', body: { aliases: ['a'] } },
    { path: '/table/create', body: { table: { project_id: projectId, rows: [] } } },
    { path: '/table/create_from_digests', body: { row_digests: [] } },
    { path: '/table/update', body: { base_digest: noRows, updates: [] } },
    { path: '/file/create', body: file(projectId) },
    { path: '/files/create', body: file(projectId) },
    { path: '/feedback/create', body: feedback },
    { path: '/feedback/batch/create', body: { batch: [feedback] } },
    { path: '/feedback/replace', body: { feedback_id: 'f', ...feedback } },
    { path: '/feedback/purge', body: { query: byId } },
    { path: '/cost/create', body: { costs: { model: { prompt_token_cost: 1, completion_token_cost: 2 } } } },
    { path: '/cost/purge', body: { query: byId } },
  ];
}

/** Of every route that reads of one project. */
export function reads(projectId: string): TracingRequest[] {
  const query = `?project_id=${encodeURIComponent(projectId)}`;
  return [
    { path: '/call/read', body: { id: 'c' } },
    { path: '/calls/stream_query', body: {} },
    { path: '/calls/query_stats', body: {} },
    { path: '/calls/stats', body: { start: time, call_metrics: [{ metric: 'call_count' }] } },
    { path: '/calls/usage', body: { call_ids: ['c'] } },
    { path: '/trace/usage', body: { filter: { trace_ids: ['t'] } } },
    { path: '/cost/query', body: {} },
    { path: '/feedback/query', body: {} },
    { path: '/files/query_stats', body: {} },
    { path: '/obj/read', body: { object_id: 'prompt', digest: 'v0' } },
    { path: '/objs/query', body: {} },
    { path: '/table/query', body: { digest: noRows } },
    { path: '/table/query_stats', body: { digest: noRows } },
    { path: '/table/query_stats_batch', body: { digests: [noRows] } },
    { path: '/threads/stream_query', body: {} },
    { path: `/tags${query}`, method: 'GET' },
    { path: `/aliases${query}`, method: 'GET' },
  ];
}

function file(projectId: string): FormData {
  const form = new FormData();
  form.set('project_id', projectId);
  form.set('file', new Blob(['content']), 'file.txt');
  return form;
}
