import { Module } from '@nestjs/common';
import { BaseModelsController } from './base-models.controller.js';
import { EngineModule } from './engine.module.js';

/** The models that others are trained from, over HTTP. */
@Module({ imports: [EngineModule], controllers: [BaseModelsController] })
export class BaseModelsModule {}
