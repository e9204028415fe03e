import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Env } from '@heddle/config';
import { ArtifactCollection } from '@heddle/database';
import { EventsModule } from '@heddle/events';
import { ArtifactFilesRepository } from './artifact-files.repository.js';
import { ArtifactWriter } from './artifact.writer.js';
import { BlobsService } from './blobs.service.js';
import { CollectionVersionsService } from './collection-versions.service.js';
import { CollectionsRepository } from './collections.repository.js';
import { DeletionGuardRegistry } from './deletion-guard.registry.js';
import { DiskFileStore } from './disk-file-store.js';
import { FileStore } from './file-store.js';
import { LabelWriter } from './label.writer.js';
import { MembershipWriter } from './membership.writer.js';
import { PruneArtifactsHandler } from './prune-artifacts.handler.js';
import { VersionsRepository } from './versions.repository.js';

const fileStore = {
  provide: FileStore,
  inject: [Env],
  useFactory: (env: Env) => new DiskFileStore(join(env.DATA_DIR, 'artifacts')),
};

/** What other features write artifacts with, in the API and in the worker: no routes. The worker also prunes. */
@Module({
  imports: [TypeOrmModule.forFeature([ArtifactCollection]), EventsModule],
  providers: [
    ArtifactFilesRepository,
    ArtifactWriter,
    BlobsService,
    CollectionsRepository,
    CollectionVersionsService,
    DeletionGuardRegistry,
    LabelWriter,
    MembershipWriter,
    PruneArtifactsHandler,
    VersionsRepository,
    fileStore,
  ],
  exports: [
    ArtifactFilesRepository,
    ArtifactWriter,
    BlobsService,
    CollectionsRepository,
    CollectionVersionsService,
    DeletionGuardRegistry,
    FileStore,
    LabelWriter,
    MembershipWriter,
    VersionsRepository,
  ],
})
export class ArtifactStoreModule {}
