import { Module } from '@nestjs/common';
import { BaseModelsController } from './base-models.controller.js';
import { BaseModelsService } from './base-models.service.js';
import { EngineModule } from './engine.module.js';

/** The models that others are trained from, over HTTP. */
@Module({
  imports: [EngineModule],
  controllers: [BaseModelsController],
  providers: [BaseModelsService],
  exports: [BaseModelsService, EngineModule],
})
export class BaseModelsModule {}
