/** What programs send all day below `/v1`: answers of models, metrics, files. It is data, and no change to account for. */
const DATA =
  /^(ChatCompletions|Completions|Embeddings|Tokenization|Responses|Evaluation|Uploads|TrajectoryLogs|History)_|^Drafts_(create|delete)$/;

/** What people change of traces. */
const OF_TRACES =
  /^(Calls_delete|Objects_delete|Costs_create|Costs_purge|Feedback_purge|Feedback_replace|ObjectLabels_\w+)$/;

/** @param operation `<controller>_<method>`, as the API's description calls it */
export const isAudited = (method: string, path: string, operation: string): boolean =>
  method !== 'GET' && (path.startsWith('/v1/') ? !DATA.test(operation) : OF_TRACES.test(operation));
