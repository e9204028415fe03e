import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ArtifactStoreModule } from '@heddle/artifacts';
import { Checkpoint, Model, TrajectoryLog } from '@heddle/database';
import { RunWriterModule } from '@heddle/runs';
import { AdapterStore } from './checkpoints/adapter-store.service.js';
import { CheckpointWriter } from './checkpoints/checkpoint-writer.service.js';
import { CheckpointsRepository } from './checkpoints/checkpoints.repository.js';
import { PruneTrajectoriesHandler } from './logs/prune-trajectories.handler.js';
import { TrajectoryLogsRepository } from './logs/trajectory-logs.repository.js';
import { ModelCollections } from './models/model-collection.service.js';
import { ModelsRepository } from './models/models.repository.js';
import { TrajectoryBodies } from './trajectories/trajectory-bodies.service.js';
import { TrajectoryFiles } from './trajectories/trajectory-files.service.js';

/** What other features read and write models with, in the API and in the worker: no routes. The worker also prunes. */
@Module({
  imports: [TypeOrmModule.forFeature([Checkpoint, Model, TrajectoryLog]), ArtifactStoreModule, RunWriterModule],
  providers: [
    AdapterStore,
    CheckpointsRepository,
    CheckpointWriter,
    ModelCollections,
    ModelsRepository,
    PruneTrajectoriesHandler,
    TrajectoryBodies,
    TrajectoryFiles,
    TrajectoryLogsRepository,
  ],
  exports: [
    AdapterStore,
    ArtifactStoreModule,
    CheckpointsRepository,
    CheckpointWriter,
    ModelCollections,
    ModelsRepository,
    RunWriterModule,
    TrajectoryBodies,
    TrajectoryLogsRepository,
  ],
})
export class ModelStoreModule {}
