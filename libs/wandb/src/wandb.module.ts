import { Module } from '@nestjs/common';
import { ArtifactsModule } from '@heddle/artifacts';
import { AuditModule } from '@heddle/audit';
import { ProjectsModule } from '@heddle/projects';
import { RegistriesModule } from '@heddle/registries';
import { RunWriterModule } from '@heddle/runs';
import { AccountsRepository } from './accounts/accounts.repository.js';
import { ArtifactChangesService } from './artifacts/artifact-changes.service.js';
import { ArtifactContentController } from './artifacts/artifact-content.controller.js';
import { ArtifactContentService } from './artifacts/artifact-content.service.js';
import { CollectionChangesService } from './artifacts/collection-changes.service.js';
import { CommitService } from './artifacts/commit.service.js';
import { CollectionsFinderService } from './artifacts/reading/collections-finder.service.js';
import { LineageService } from './artifacts/reading/lineage.service.js';
import { MembershipsService } from './artifacts/reading/memberships.service.js';
import { SdkArtifactsReader } from './artifacts/reading/sdk-artifacts.reader.js';
import { VersionsFinderService } from './artifacts/reading/versions-finder.service.js';
import { SdkArtifactFilesRepository } from './artifacts/sdk-artifact-files.repository.js';
import { SdkArtifactFilesService } from './artifacts/sdk-artifact-files.service.js';
import { SdkArtifactsService } from './artifacts/sdk-artifacts.service.js';
import { SdkManifestsService } from './artifacts/sdk-manifests.service.js';
import { GraphqlController } from './graphql/graphql.controller.js';
import { GraphqlService } from './graphql/graphql.service.js';
import { GraphqlServices } from './graphql/graphql-services.js';
import { PlacesService } from './places/places.service.js';
import { SdkLinksService } from './registries/sdk-links.service.js';
import { RegistryChangesService } from './registries/registry-changes.service.js';
import { SdkRegistryMembersService } from './registries/sdk-registry-members.service.js';
import { ProjectRunFilesPart } from './runs/files/project-run-files.part.js';
import { RunFilesController } from './runs/files/run-files.controller.js';
import { RunFilesRepository } from './runs/files/run-files.repository.js';
import { RunFilesService } from './runs/files/run-files.service.js';
import { RunsFinderService } from './runs/finding/runs-finder.service.js';
import { RunAlertsService } from './runs/run-alerts.service.js';
import { RunBranchesService } from './runs/run-branches.service.js';
import { RunPageController } from './runs/page/run-page.controller.js';
import { RunReadsService } from './runs/run-reads.service.js';
import { SdkRunsService } from './runs/sdk-runs.service.js';
import { FileStreamController } from './stream/file-stream.controller.js';
import { FileStreamService } from './stream/file-stream.service.js';
import { TransfersController } from './transfers/transfers.controller.js';
import { TransfersService } from './transfers/transfers.service.js';
import { UrlSigner } from './transfers/url-signer.js';

/** What the `wandb` SDK speaks, over the runs, artifacts and projects of other features. */
@Module({
  imports: [ArtifactsModule, AuditModule, ProjectsModule, RegistriesModule, RunWriterModule],
  controllers: [
    FileStreamController,
    GraphqlController,
    TransfersController,
    RunFilesController,
    RunPageController,
    ArtifactContentController,
  ],
  providers: [
    AccountsRepository,
    ArtifactChangesService,
    ArtifactContentService,
    CollectionChangesService,
    CollectionsFinderService,
    CommitService,
    FileStreamService,
    GraphqlService,
    GraphqlServices,
    LineageService,
    MembershipsService,
    PlacesService,
    RegistryChangesService,
    RunAlertsService,
    RunBranchesService,
    ProjectRunFilesPart,
    RunFilesRepository,
    RunFilesService,
    RunReadsService,
    RunsFinderService,
    SdkArtifactFilesRepository,
    SdkArtifactFilesService,
    SdkArtifactsReader,
    SdkArtifactsService,
    SdkLinksService,
    SdkManifestsService,
    SdkRegistryMembersService,
    SdkRunsService,
    TransfersService,
    UrlSigner,
    VersionsFinderService,
  ],
})
export class WandbModule {}
