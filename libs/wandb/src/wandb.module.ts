import { Module } from '@nestjs/common';
import { ArtifactsModule } from '@heddle/artifacts';
import { ProjectsModule } from '@heddle/projects';
import { RunWriterModule } from '@heddle/runs';
import { ArtifactChangesService } from './artifacts/artifact-changes.service.js';
import { ArtifactContentController } from './artifacts/artifact-content.controller.js';
import { ArtifactContentService } from './artifacts/artifact-content.service.js';
import { CommitService } from './artifacts/commit.service.js';
import { LineageService } from './artifacts/reading/lineage.service.js';
import { SdkArtifactsReader } from './artifacts/reading/sdk-artifacts-reader.service.js';
import { SdkArtifactFilesRepository } from './artifacts/sdk-artifact-files.repository.js';
import { SdkArtifactFilesService } from './artifacts/sdk-artifact-files.service.js';
import { SdkArtifactsService } from './artifacts/sdk-artifacts.service.js';
import { SdkManifestsService } from './artifacts/sdk-manifests.service.js';
import { GraphqlController } from './graphql/graphql.controller.js';
import { GraphqlService } from './graphql/graphql.service.js';
import { GraphqlServices } from './graphql/graphql-services.js';
import { RunFilesController } from './runs/files/run-files.controller.js';
import { RunFilesRepository } from './runs/files/run-files.repository.js';
import { RunFilesService } from './runs/files/run-files.service.js';
import { RunReadsService } from './runs/run-reads.service.js';
import { SdkRunsService } from './runs/sdk-runs.service.js';
import { FileStreamController } from './stream/file-stream.controller.js';
import { FileStreamService } from './stream/file-stream.service.js';
import { TransfersController } from './transfers/transfers.controller.js';
import { TransfersService } from './transfers/transfers.service.js';
import { UrlSigner } from './transfers/url-signer.js';

/** What the `wandb` SDK speaks, over the runs, artifacts and projects of other features. */
@Module({
  imports: [ArtifactsModule, ProjectsModule, RunWriterModule],
  controllers: [
    FileStreamController,
    GraphqlController,
    TransfersController,
    RunFilesController,
    ArtifactContentController,
  ],
  providers: [
    ArtifactChangesService,
    ArtifactContentService,
    CommitService,
    FileStreamService,
    GraphqlService,
    GraphqlServices,
    LineageService,
    RunFilesRepository,
    RunFilesService,
    RunReadsService,
    SdkArtifactFilesRepository,
    SdkArtifactFilesService,
    SdkArtifactsReader,
    SdkArtifactsService,
    SdkManifestsService,
    SdkRunsService,
    TransfersService,
    UrlSigner,
  ],
})
export class WandbModule {}
