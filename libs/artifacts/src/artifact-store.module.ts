import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Env } from '@heddle/config';
import { ArtifactCollection } from '@heddle/database';
import { EventsModule } from '@heddle/events';
import { ArtifactFilesRepository } from './artifact-files.repository.js';
import { ArtifactWriter } from './artifact-writer.service.js';
import { BlobsService } from './blobs.service.js';
import { CollectionVersions } from './collection-versions.service.js';
import { CollectionsRepository } from './collections.repository.js';
import { DeletionGuards } from './deletion-guards.registry.js';
import { DiskFileStore } from './disk-file-store.js';
import { FileStore } from './file-store.js';
import { LabelWriter } from './label-writer.service.js';
import { MembershipWriter } from './membership-writer.service.js';
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
    CollectionVersions,
    DeletionGuards,
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
    CollectionVersions,
    DeletionGuards,
    FileStore,
    LabelWriter,
    MembershipWriter,
    VersionsRepository,
  ],
})
export class ArtifactStoreModule {}
