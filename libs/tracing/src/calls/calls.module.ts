import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { CostsModule } from '../costs/costs.module.js';
import { FeedbackModule } from '../feedback/feedback.module.js';
import { QueryModule } from '../query/query.module.js';
import { RollupsModule } from '../rollups/rollups.module.js';
import { CallAdditionsReader } from './call-additions.reader.js';
import { CallReader } from './call.reader.js';
import { CallsController } from './calls.controller.js';
import { CallsQueryController } from './calls-query.controller.js';
import { CallsQueryService } from './calls-query.service.js';
import { ExpansionsReader } from './expansion/expansions.reader.js';
import { RefsModule } from '../refs/refs.module.js';
import { CallsRepository } from './calls.repository.js';
import { CallsService } from './calls.service.js';

@Module({
  imports: [RefsModule, CostsModule, FeedbackModule, ProjectsModule, QueryModule, RollupsModule],
  controllers: [CallsController, CallsQueryController],
  providers: [CallAdditionsReader, CallReader, CallsQueryService, CallsRepository, ExpansionsReader, CallsService],
  exports: [CallsQueryService, CallsService],
})
export class CallsModule {}
