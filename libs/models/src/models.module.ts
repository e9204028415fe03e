import { Module } from '@nestjs/common';
import { EngineModule } from '@heddle/base-models';
import { ProjectsModule } from '@heddle/projects';
import { CheckpointGuard } from './checkpoints/checkpoint-guard.service.js';
import { CheckpointReader } from './checkpoints/checkpoint-reader.service.js';
import { CheckpointsController } from './checkpoints/checkpoints.controller.js';
import { CheckpointsService } from './checkpoints/checkpoints.service.js';
import { CheckpointUses } from './checkpoints/checkpoint-uses.registry.js';
import { ModelStoreModule } from './model-store.module.js';
import { ModelAccess } from './models/model-access.service.js';
import { ModelDeletion } from './models/model-deletion.service.js';
import { ModelsController } from './models/models.controller.js';
import { ModelsService } from './models/models.service.js';

/** Models and their checkpoints over HTTP. */
@Module({
  imports: [EngineModule, ModelStoreModule, ProjectsModule],
  controllers: [ModelsController, CheckpointsController],
  providers: [
    CheckpointGuard,
    CheckpointReader,
    CheckpointsService,
    CheckpointUses,
    ModelAccess,
    ModelDeletion,
    ModelsService,
  ],
  exports: [CheckpointReader, CheckpointUses, ModelAccess, ModelDeletion, ModelStoreModule],
})
export class ModelsModule {}
