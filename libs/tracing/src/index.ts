export { makeId } from './store/call-ids.js';
export { CallStore } from './store/call.store.js';
export type { NewCall } from './store/new-call.js';
export { StoreModule } from './store/store.module.js';
export { CallRetentionModule } from './retention/call-retention.module.js';
export { PruneCallsHandler } from './retention/prune-calls.handler.js';
export { PruneDeletedProjectsHandler } from './retention/prune-deleted-projects.handler.js';
export { TracingModule } from './tracing.module.js';
export { RollupsModule } from './rollups/rollups.module.js';
