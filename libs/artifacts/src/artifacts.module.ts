import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { ArtifactReader } from './versions/artifact.reader.js';
import { ArtifactStoreModule } from './artifact-store.module.js';
import { CollectionsController } from './collections/collections.controller.js';
import { CollectionsService } from './collections/collections.service.js';
import { ProjectCollectionsPart } from './collections/project-collections.part.js';
import { DraftCommitsController } from './drafts/draft-commits.controller.js';
import { DraftsController } from './drafts/drafts.controller.js';
import { DraftsService } from './drafts/drafts.service.js';
import { FilesController } from './files/files.controller.js';
import { UploadsController } from './drafts/uploads.controller.js';
import { VersionLabelsController } from './versions/version-labels.controller.js';
import { VersionsController } from './versions/versions.controller.js';
import { VersionsService } from './versions/versions.service.js';

/** Artifacts over HTTP. */
@Module({
  imports: [ProjectsModule, ArtifactStoreModule],
  controllers: [
    CollectionsController,
    DraftsController,
    UploadsController,
    DraftCommitsController,
    VersionsController,
    VersionLabelsController,
    FilesController,
  ],
  providers: [ArtifactReader, CollectionsService, DraftsService, ProjectCollectionsPart, VersionsService],
  exports: [ArtifactReader, ArtifactStoreModule, CollectionsService, VersionsService],
})
export class ArtifactsModule {}
