import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Env } from '@heddle/config';
import { ArtifactCollection } from '@heddle/database';
import { EventsModule } from '@heddle/events';
import { ObjectStore, StorageModule } from '@heddle/storage';
import { ArtifactFilesRepository } from './files/artifact-files.repository.js';
import { ArtifactWriter } from './writing/artifact.writer.js';
import { BlobsService } from './storage/blobs.service.js';
import { CollectionVersionsService } from './collections/collection-versions.service.js';
import { CollectionsRepository } from './collections/collections.repository.js';
import { DeletionGuardRegistry } from './versions/deletion-guard.registry.js';
import { ExpireArtifactsHandler } from './storage/expire-artifacts.handler.js';
import { FileStore } from './storage/file-store.js';
import { HeldBlobsService } from './storage/held-blobs.service.js';
import { LabelWriter } from './writing/label.writer.js';
import { MembershipWriter } from './writing/membership.writer.js';
import { PruneArtifactsHandler } from './storage/prune-artifacts.handler.js';
import { VersionsRepository } from './versions/versions.repository.js';

const fileStore = {
  provide: FileStore,
  inject: [ObjectStore, Env],
  useFactory: (objects: ObjectStore, { DATA_DIR, DISK_RESERVE_MB }: Env) =>
    new FileStore(objects, DATA_DIR, DISK_RESERVE_MB * 1024 * 1024),
};

/** What other features write artifacts with, in the API and in the worker: no routes. The worker also prunes, and deletes what has expired. */
@Module({
  imports: [TypeOrmModule.forFeature([ArtifactCollection]), EventsModule, StorageModule],
  providers: [
    ArtifactFilesRepository,
    ArtifactWriter,
    BlobsService,
    CollectionsRepository,
    CollectionVersionsService,
    DeletionGuardRegistry,
    ExpireArtifactsHandler,
    HeldBlobsService,
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
    HeldBlobsService,
    LabelWriter,
    MembershipWriter,
    VersionsRepository,
  ],
})
export class ArtifactStoreModule {}
