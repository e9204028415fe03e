import { Injectable } from '@nestjs/common';
import { CollectionsService } from '@heddle/artifacts';
import { ProjectAccessService } from '@heddle/projects';
import { ArtifactChangesService } from '../artifacts/artifact-changes.service.js';
import { CommitService } from '../artifacts/commit.service.js';
import { LineageService } from '../artifacts/reading/lineage.service.js';
import { SdkArtifactsReader } from '../artifacts/reading/sdk-artifacts-reader.service.js';
import { SdkArtifactFilesRepository } from '../artifacts/sdk-artifact-files.repository.js';
import { SdkArtifactFilesService } from '../artifacts/sdk-artifact-files.service.js';
import { SdkArtifactsService } from '../artifacts/sdk-artifacts.service.js';
import { SdkManifestsService } from '../artifacts/sdk-manifests.service.js';
import { RunFilesService } from '../runs/files/run-files.service.js';
import { RunReadsService } from '../runs/run-reads.service.js';
import { SdkRunsService } from '../runs/sdk-runs.service.js';
import { UrlSigner } from '../transfers/url-signer.js';

/** What resolvers answer with. */
@Injectable()
export class GraphqlServices {
  constructor(
    readonly projects: ProjectAccessService,
    readonly runs: SdkRunsService,
    readonly runReads: RunReadsService,
    readonly runFiles: RunFilesService,
    readonly collections: CollectionsService,
    readonly artifacts: SdkArtifactsService,
    readonly artifactReads: SdkArtifactsReader,
    readonly artifactFiles: SdkArtifactFilesService,
    readonly artifactFileList: SdkArtifactFilesRepository,
    readonly artifactChanges: ArtifactChangesService,
    readonly manifests: SdkManifestsService,
    readonly commits: CommitService,
    readonly lineage: LineageService,
    readonly urls: UrlSigner,
  ) {}
}
