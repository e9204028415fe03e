import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { StoreModule } from '../store/store.module.js';
import { CallsIngestController } from './calls-ingest.controller.js';
import { CallsIngestService } from './calls-ingest.service.js';

@Module({
  imports: [ProjectsModule, StoreModule],
  controllers: [CallsIngestController],
  providers: [CallsIngestService],
  exports: [CallsIngestService],
})
export class IngestModule {}
