import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { CallsModule } from '../calls/calls.module.js';
import { OtelController } from './otel.controller.js';
import { OtelTracesService } from './otel-traces.service.js';

@Module({ imports: [CallsModule, ProjectsModule], controllers: [OtelController], providers: [OtelTracesService] })
export class OtelModule {}
