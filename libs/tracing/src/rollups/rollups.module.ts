import { Module } from '@nestjs/common';
import { QueryModule } from '../query/query.module.js';
import { CallRollupsRepository } from './call-rollups.repository.js';
import { CallRollupsService } from './call-rollups.service.js';
import { RefreshCallRollupsHandler } from './refresh-call-rollups.handler.js';

/** Sums of calls by minute, for what asks about a whole project; the worker makes them. */
@Module({
  imports: [QueryModule],
  providers: [CallRollupsRepository, CallRollupsService, RefreshCallRollupsHandler],
  exports: [CallRollupsService],
})
export class RollupsModule {}
