export type { CallItem } from './calls/call-batch.js';
export { CallsIngestService } from './calls/calls-ingest.service.js';
export { CallsModule } from './calls/calls.module.js';
export { CallRetentionModule } from './retention/call-retention.module.js';
export { PruneCallsHandler } from './retention/prune-calls.handler.js';
export { TracingModule } from './tracing.module.js';
