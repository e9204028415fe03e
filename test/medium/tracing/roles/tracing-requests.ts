import { createHash } from 'node:crypto';

/** A valid request to one route; a body that is an object gets the project's id in. */
export interface TracingRequest {
  method?: 'GET' | 'PUT' | 'DELETE';
  path: string;
  body?: object | FormData;
  headers?: Record<string, string>;
}

const time = '2026-01-31T12:00:00Z';
const byId = { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'a' }] } };
const tags = '/objs/prompt/versions/v0/tags';
/** Digest of the table without rows. */
const noRows = createHash('sha256').digest('hex');

/**
 * Of every route that changes something, for a project that holds the object `prompt`, the call `c`, a table without rows
 * and the annotation queue `queue`.
 */
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
    ...publications(projectId),
    ...evaluationRuns(projectId),
    ...annotationQueues(projectId),
    ...['create', 'create_stream'].map((path) => ({
      path: `/completions/${path}`,
      body: { inputs: { model: 'heddle/shuttle-1m', messages: [{ role: 'user', content: 'a' }], max_tokens: 1 } },
    })),
    { path: '/dataset_sources/link', body: { dataset_object_id: 'd', dataset_digest: 'v0', links: [] } },
    { path: '/dataset_sources/link_delete', body: { link_ids: [] } },
    {
      path: `/v2/${projectId}/runtimes/mine`,
      method: 'PUT',
      body: { base_url: 'https://models.example', runtime_ids: [] },
    },
  ];
}

const KINDS = ['datasets', 'ops', 'models', 'scorers', 'evaluations'];

/** Of routes that make and delete objects field by field. */
function publications(projectId: string): TracingRequest[] {
  const body = { name: 'made', rows: [], source_code: '', op_source_code: '', dataset: 'weave:///a/b/object/c:v0' };
  return KINDS.flatMap((kind): TracingRequest[] => [
    { path: `/v2/${projectId}/${kind}`, body },
    { path: `/v2/${projectId}/${kind}/prompt`, method: 'DELETE' },
  ]);
}

/** Of those that write the calls of an evaluation; `c` is a call. */
function evaluationRuns(projectId: string): TracingRequest[] {
  const [model, scorer] = ['weave:///a/b/object/model:v0', 'weave:///a/b/object/scorer:v0'];
  const v2 = `/v2/${projectId}`;
  return [
    { path: `${v2}/evaluation_runs`, body: { evaluation: 'weave:///a/b/object/quality:v0', model } },
    { path: `${v2}/predictions`, body: { model, inputs: {}, output: 1 } },
    { path: `${v2}/scores`, body: { prediction_id: 'c', scorer, value: 1 } },
    { path: `${v2}/predictions/c/finish`, body: {} },
    { path: `${v2}/evaluation_runs/c/finish`, body: {} },
    { path: `${v2}/evaluation_runs?evaluation_run_ids=none`, method: 'DELETE' },
    { path: `${v2}/predictions?prediction_ids=none`, method: 'DELETE' },
    { path: `${v2}/scores?score_ids=none`, method: 'DELETE' },
  ];
}

/** `queue` is an annotation queue, `item` the call `c` in it. */
function annotationQueues(projectId: string): TracingRequest[] {
  const one = '/annotation_queues/queue';
  return [
    { path: '/annotation_queues', body: { name: 'a', scorer_refs: [] } },
    { path: one, method: 'PUT', body: { name: 'b' } },
    { path: `${one}/items`, body: { call_ids: ['c'], display_fields: [] } },
    { path: `${one}/items/item/progress`, body: { annotation_state: 'completed' } },
    { path: `${one}?project_id=${encodeURIComponent(projectId)}`, method: 'DELETE' },
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
    { path: '/feedback/aggregate', body: { after_ms: 0, before_ms: 1 } },
    { path: '/feedback/stats', body: { start: time } },
    { path: '/feedback/payload_schema', body: { start: time } },
    { path: '/files/stats', body: {} },
    { path: '/project/stats', body: {} },
    { path: '/project/ttl_settings/read', body: {} },
    { path: '/project/ingest_sampling_settings/read', body: {} },
    { path: `/project/sensitive_data_settings${query}`, method: 'GET' },
    ...KINDS.flatMap((kind) => [`/v2/${projectId}/${kind}`, `/v2/${projectId}/${kind}/prompt/versions/v0`]).map(get),
    ...['evaluation_runs', 'predictions', 'scores']
      .flatMap((kind) => [`${kind}`, `${kind}/c`])
      .map((path) => get(`/v2/${projectId}/${path}`)),
    ...['query', 'spans/query', 'spans/custom-attrs/schema', 'search'].map((path) => ({
      path: `/agents/${path}`,
      body: {},
    })),
    {
      path: '/agents/spans/stats',
      body: { start: '2026-01-31', metrics: [{ alias: 'a', value_type: 'string', value: { key: 'span_id' } }] },
    },
    { path: '/agents/agent-versions/query', body: { agent_name: 'a' } },
    { path: '/agents/traces/chat', body: { trace_id: 'spans' } },
    { path: '/agents/conversations/chat', body: { conversation_id: 'a' } },
    { path: '/agents/conversations/spans', body: { conversation_ids: ['a'] } },
    { path: '/dataset_sources/query', body: { dataset_object_id: 'd' } },
    { path: '/dataset_sources/source_datasets_query', body: { sources: [] } },
    { path: '/evaluations/status', body: { call_id: 'none' } },
    { path: `/v2/${projectId}/eval_results/query`, body: { evaluation_call_ids: ['c'] } },
    { path: '/annotation_queues/query', body: {} },
    { path: '/annotation_queues/stats', body: { queue_ids: ['queue'] } },
    { path: '/annotation_queues/queue/items/query', body: {} },
    get(`/annotation_queues/queue${query}`),
    { path: `/tags${query}`, method: 'GET' },
    { path: `/aliases${query}`, method: 'GET' },
  ];
}

const get = (path: string): TracingRequest => ({ path, method: 'GET' });

function file(projectId: string): FormData {
  const form = new FormData();
  form.set('project_id', projectId);
  form.set('file', new Blob(['content']), 'file.txt');
  return form;
}
