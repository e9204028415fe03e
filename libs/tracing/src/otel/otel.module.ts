import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { StoreModule } from '../store/store.module.js';
import { OtelController } from './otel.controller.js';
import { OtelTracesService } from './otel-traces.service.js';

@Module({ imports: [ProjectsModule, StoreModule], controllers: [OtelController], providers: [OtelTracesService] })
export class OtelModule {}
