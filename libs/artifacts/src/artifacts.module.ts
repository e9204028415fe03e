import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { ArtifactReader } from './artifact.reader.js';
import { ArtifactStoreModule } from './artifact-store.module.js';
import { CollectionsController } from './collections.controller.js';
import { CollectionsService } from './collections.service.js';
import { DraftsController } from './drafts.controller.js';
import { DraftsService } from './drafts.service.js';
import { FilesController } from './files.controller.js';
import { UploadsController } from './uploads.controller.js';
import { VersionLabelsController } from './version-labels.controller.js';
import { VersionsController } from './versions.controller.js';
import { VersionsService } from './versions.service.js';

/** Artifacts over HTTP. */
@Module({
  imports: [ProjectsModule, ArtifactStoreModule],
  controllers: [
    CollectionsController,
    DraftsController,
    FilesController,
    UploadsController,
    VersionLabelsController,
    VersionsController,
  ],
  providers: [ArtifactReader, CollectionsService, DraftsService, VersionsService],
  exports: [ArtifactReader, ArtifactStoreModule, CollectionsService, VersionsService],
})
export class ArtifactsModule {}
