import { Module } from '@nestjs/common';
import { CallRetentionRepository } from './call-retention.repository.js';
import { PruneCallsHandler } from './prune-calls.handler.js';
import { PruneDeletedProjectsHandler } from './prune-deleted-projects.handler.js';

/** The worker's part of tracing: no routes. */
@Module({
  providers: [CallRetentionRepository, PruneCallsHandler, PruneDeletedProjectsHandler],
  exports: [PruneCallsHandler, PruneDeletedProjectsHandler],
})
export class CallRetentionModule {}
