import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '@heddle/audit';
import { ProjectAccessService, ProjectsService } from '@heddle/projects';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { ArtifactChangesService } from '../artifacts/artifact-changes.service.js';
import { CollectionChangesService } from '../artifacts/collection-changes.service.js';
import { CommitService } from '../artifacts/commit.service.js';
import { CollectionsFinderService } from '../artifacts/reading/collections-finder.service.js';
import { LineageService } from '../artifacts/reading/lineage.service.js';
import { MembershipsService } from '../artifacts/reading/memberships.service.js';
import { SdkArtifactsReader } from '../artifacts/reading/sdk-artifacts.reader.js';
import { VersionsFinderService } from '../artifacts/reading/versions-finder.service.js';
import { SdkArtifactFilesRepository } from '../artifacts/sdk-artifact-files.repository.js';
import { SdkArtifactFilesService } from '../artifacts/sdk-artifact-files.service.js';
import { SdkArtifactsService } from '../artifacts/sdk-artifacts.service.js';
import { SdkManifestsService } from '../artifacts/sdk-manifests.service.js';
import { PlacesService } from '../places/places.service.js';
import { SdkLinksService } from '../registries/sdk-links.service.js';
import { RegistryChangesService } from '../registries/registry-changes.service.js';
import { SdkRegistryMembersService } from '../registries/sdk-registry-members.service.js';
import { RunFilesService } from '../runs/files/run-files.service.js';
import { RunsFinderService } from '../runs/finding/runs-finder.service.js';
import { RunAlertsService } from '../runs/run-alerts.service.js';
import { RunReadsService } from '../runs/run-reads.service.js';
import { SdkRunsService } from '../runs/sdk-runs.service.js';
import { UrlSigner } from '../transfers/url-signer.js';

/** What resolvers answer with. */
@Injectable()
export class GraphqlServices {
  constructor(
    readonly accounts: AccountsRepository,
    readonly places: PlacesService,
    readonly projects: ProjectAccessService,
    readonly projectList: ProjectsService,
    readonly registries: RegistryChangesService,
    readonly registryMembers: SdkRegistryMembersService,
    readonly links: SdkLinksService,
    readonly runs: SdkRunsService,
    readonly runList: RunsFinderService,
    readonly runReads: RunReadsService,
    readonly alerts: RunAlertsService,
    readonly runFiles: RunFilesService,
    readonly artifacts: SdkArtifactsService,
    readonly artifactReads: SdkArtifactsReader,
    readonly collectionList: CollectionsFinderService,
    readonly collectionChanges: CollectionChangesService,
    readonly versionList: VersionsFinderService,
    readonly memberships: MembershipsService,
    readonly artifactFiles: SdkArtifactFilesService,
    readonly artifactFileList: SdkArtifactFilesRepository,
    readonly artifactChanges: ArtifactChangesService,
    readonly manifests: SdkManifestsService,
    readonly commits: CommitService,
    readonly lineage: LineageService,
    readonly urls: UrlSigner,
    readonly audit: AuditTrailService,
  ) {}
}
