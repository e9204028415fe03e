import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { CostsModule } from '../costs/costs.module.js';
import { FeedbackModule } from '../feedback/feedback.module.js';
import { CallQueryAdditions } from './call-query-additions.js';
import { CallQueryLimits } from './call-query-limits.js';
import { CallQueryReader } from './call-query-reader.js';
import { CallQuerySlots } from './call-query-slots.js';
import { CallWriter } from './call-writer.js';
import { CallsController } from './calls.controller.js';
import { CallsIngestController } from './calls-ingest.controller.js';
import { CallsIngestService } from './calls-ingest.service.js';
import { CallsQueryController } from './calls-query.controller.js';
import { CallsQueryService } from './calls-query.service.js';
import { CallsRepository } from './calls.repository.js';
import { CallsService } from './calls.service.js';

@Module({
  imports: [CostsModule, FeedbackModule, ProjectsModule],
  controllers: [CallsController, CallsIngestController, CallsQueryController],
  providers: [
    CallQueryAdditions,
    CallQueryLimits,
    CallQueryReader,
    CallQuerySlots,
    CallsIngestService,
    CallsQueryService,
    CallsRepository,
    CallsService,
    CallWriter,
  ],
  exports: [CallQueryLimits, CallQueryReader, CallsIngestService],
})
export class CallsModule {}
