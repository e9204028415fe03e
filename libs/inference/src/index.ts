export { InferenceModule } from './inference.module.js';
export { PruneResponsesHandler } from './responses/prune-responses.handler.js';
export { ResponseRetentionModule } from './responses/response-retention.module.js';
