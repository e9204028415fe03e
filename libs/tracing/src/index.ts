export { CallRetentionModule } from './retention/call-retention.module.js';
export { PruneCallsHandler } from './retention/prune-calls.handler.js';
export { TracingModule } from './tracing.module.js';
