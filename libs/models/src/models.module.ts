import { Module } from '@nestjs/common';
import { BaseModelsModule } from '@heddle/base-models';
import { EventsModule } from '@heddle/events';
import { ProjectsModule } from '@heddle/projects';
import { CheckpointReader } from './checkpoints/checkpoint-reader.service.js';
import { CheckpointsController } from './checkpoints/checkpoints.controller.js';
import { CheckpointsService } from './checkpoints/checkpoints.service.js';
import { TrajectoryLogsController } from './logs/trajectory-logs.controller.js';
import { TrajectoryLogsService } from './logs/trajectory-logs.service.js';
import { ModelStoreModule } from './model-store.module.js';
import { ModelAccess } from './models/model-access.service.js';
import { ModelDeletion } from './models/model-deletion.service.js';
import { ModelsController } from './models/models.controller.js';
import { ModelsService } from './models/models.service.js';

/** Models, their checkpoints and what was logged of them, over HTTP. */
@Module({
  imports: [BaseModelsModule, EventsModule, ModelStoreModule, ProjectsModule],
  controllers: [ModelsController, CheckpointsController, TrajectoryLogsController],
  providers: [CheckpointReader, CheckpointsService, ModelAccess, ModelDeletion, ModelsService, TrajectoryLogsService],
  exports: [CheckpointReader, ModelAccess, ModelStoreModule],
})
export class ModelsModule {}
