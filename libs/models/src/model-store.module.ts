import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ArtifactStoreModule } from '@heddle/artifacts';
import { Checkpoint, Model } from '@heddle/database';
import { RunWriterModule } from '@heddle/runs';
import { AdapterStore } from './checkpoints/adapter.store.js';
import { CheckpointWriter } from './checkpoints/checkpoint.writer.js';
import { CheckpointsRepository } from './checkpoints/checkpoints.repository.js';
import { ModelCollectionsService } from './models/model-collections.service.js';
import { ModelsRepository } from './models/models.repository.js';

/** What other features read and write models with, in the API and in the worker: no routes. */
@Module({
  imports: [TypeOrmModule.forFeature([Checkpoint, Model]), ArtifactStoreModule, RunWriterModule],
  providers: [AdapterStore, CheckpointsRepository, CheckpointWriter, ModelCollectionsService, ModelsRepository],
  exports: [
    AdapterStore,
    ArtifactStoreModule,
    CheckpointsRepository,
    CheckpointWriter,
    ModelCollectionsService,
    ModelsRepository,
    RunWriterModule,
  ],
})
export class ModelStoreModule {}
