import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { IngestModule } from '../ingest/ingest.module.js';
import { OtelController } from './otel.controller.js';
import { OtelTracesService } from './otel-traces.service.js';

@Module({ imports: [IngestModule, ProjectsModule], controllers: [OtelController], providers: [OtelTracesService] })
export class OtelModule {}
