import { Module } from '@nestjs/common';
import { PruneAuditHandler } from './prune-audit.handler.js';

/** The worker's part: forgets what is old. */
@Module({ providers: [PruneAuditHandler], exports: [PruneAuditHandler] })
export class AuditRetentionModule {}
