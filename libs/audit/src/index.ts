export { AuditTrailService, type Changed } from './audit-trail.service.js';
export { AuditModule } from './audit.module.js';
export { AuditRetentionModule } from './audit-retention.module.js';
export { PruneAuditHandler } from './prune-audit.handler.js';
