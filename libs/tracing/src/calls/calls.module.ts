import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
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
  imports: [ProjectsModule],
  controllers: [CallsController, CallsIngestController, CallsQueryController],
  providers: [
    CallQueryLimits,
    CallQueryReader,
    CallQuerySlots,
    CallsIngestService,
    CallsQueryService,
    CallsRepository,
    CallsService,
    CallWriter,
  ],
  exports: [CallsIngestService],
})
export class CallsModule {}
