import { Module } from '@nestjs/common';
import { EngineModule } from '@heddle/base-models';
import { ProjectsModule } from '@heddle/projects';
import { CheckpointGuard } from './checkpoints/checkpoint.guard.js';
import { CheckpointReader } from './checkpoints/checkpoint.reader.js';
import { CheckpointsController } from './checkpoints/checkpoints.controller.js';
import { CheckpointsService } from './checkpoints/checkpoints.service.js';
import { CheckpointUsesRegistry } from './checkpoints/checkpoint-uses.registry.js';
import { ModelStoreModule } from './model-store.module.js';
import { ModelAccessService } from './models/model-access.service.js';
import { ModelDeletionService } from './models/model-deletion.service.js';
import { ModelsController } from './models/models.controller.js';
import { ProjectModelsPart } from './models/project-models.part.js';
import { ModelsService } from './models/models.service.js';

/** Models and their checkpoints over HTTP. */
@Module({
  imports: [EngineModule, ModelStoreModule, ProjectsModule],
  controllers: [ModelsController, CheckpointsController],
  providers: [
    CheckpointGuard,
    CheckpointReader,
    CheckpointsService,
    CheckpointUsesRegistry,
    ModelAccessService,
    ModelDeletionService,
    ModelsService,
    ProjectModelsPart,
  ],
  exports: [CheckpointReader, CheckpointUsesRegistry, ModelAccessService, ModelDeletionService, ModelStoreModule],
})
export class ModelsModule {}
