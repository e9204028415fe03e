/** Routes that the clients have a method for and that aren't built yet. Each answers 501 and says so. */
export const UNBUILT_ROUTES: readonly { method: 'get' | 'post' | 'put' | 'delete'; path: string }[] = [
  ...['query', 'agent-versions/query', 'search', 'conversations/chat', 'conversations/spans', 'traces/chat'].map(
    agents,
  ),
  ...['spans/query', 'spans/stats', 'spans/custom-attrs/schema'].map(agents),
  { method: 'post', path: 'annotation_queues' },
  { method: 'post', path: 'annotation_queues/query' },
  { method: 'post', path: 'annotation_queues/stats' },
  { method: 'get', path: 'annotation_queues/:queue_id' },
  { method: 'put', path: 'annotation_queues/:queue_id' },
  { method: 'delete', path: 'annotation_queues/:queue_id' },
  { method: 'post', path: 'annotation_queues/:queue_id/items' },
  { method: 'post', path: 'annotation_queues/:queue_id/items/query' },
  { method: 'post', path: 'annotation_queues/:queue_id/items/:item_id/progress' },
  { method: 'post', path: 'calls/score' },
  { method: 'post', path: 'completions/create' },
  { method: 'post', path: 'completions/create_stream' },
  { method: 'post', path: 'dataset_sources/link' },
  { method: 'post', path: 'dataset_sources/link_delete' },
  { method: 'post', path: 'dataset_sources/query' },
  { method: 'post', path: 'dataset_sources/source_datasets_query' },
  { method: 'post', path: 'evaluations/evaluate_model' },
  { method: 'post', path: 'evaluations/rescore' },
  { method: 'post', path: 'evaluations/status' },
  { method: 'post', path: 'files/resolve_url' },
  { method: 'post', path: 'image/create' },
  { method: 'post', path: 'v2/:entity/:project/eval_results/query' },
  { method: 'put', path: 'v2/:entity/:project/runtimes/:name' },
];

function agents(path: string): { method: 'post'; path: string } {
  return { method: 'post', path: `agents/${path}` };
}
