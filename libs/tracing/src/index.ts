export type { CallItem } from './ingest/call-batch.js';
export { CallsIngestService } from './ingest/calls-ingest.service.js';
export { IngestModule } from './ingest/ingest.module.js';
export { CallRetentionModule } from './retention/call-retention.module.js';
export { PruneCallsHandler } from './retention/prune-calls.handler.js';
export { TracingModule } from './tracing.module.js';
