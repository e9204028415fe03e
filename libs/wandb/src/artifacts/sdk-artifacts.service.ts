import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ArtifactWriter, CollectionsRepository, VersionsService } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { SdkArtifact } from '@heddle/database';
import { ConflictError } from '@heddle/http';
import { ProjectAccessService, type ProjectRef } from '@heddle/projects';
import type { DataSource } from 'typeorm';
import { projectNameOf } from '../projects/project-name.js';
import { SdkRunsService } from '../runs/sdk-runs.service.js';
import { checkName, type CreateArtifactInput, readMetadata, readTtl } from './artifact-input.js';
import {
  type ArtifactSource,
  collectionSource,
  type CollectionSource,
  nameOf,
  refOfCollection,
} from './artifact-source.js';
import { SdkArtifactsReader } from './reading/sdk-artifacts.reader.js';

/** Makes drafts as the SDK asks for them. What it writes goes through the writers of artifacts. */
@Injectable()
export class SdkArtifactsService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly runs: SdkRunsService,
    private readonly collections: CollectionsRepository,
    private readonly reader: SdkArtifactsReader,
    private readonly writer: ArtifactWriter,
    private readonly versions: VersionsService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /**
   * A draft in the collection, which is made if there is none. The same request again is answered with the same draft; one
   * whose content is the newest version's, if the client allows it, with that version.
   */
  async create(caller: Principal, input: CreateArtifactInput): Promise<ArtifactSource> {
    const project = await this.access.findOrCreate(caller, projectNameOf(caller, input.entityName, input.projectName));
    const collection = await this.collectionFor(caller, project, input);
    const known = await this.findSame(caller, collection, input);
    if (known) return known;
    const run = input.runName ? await this.runs.findIn(project, input.runName) : null;
    const id = await this.dataSource.transaction(async (manager) => {
      const fields = {
        description: input.description ?? null,
        metadata: readMetadata(input.metadata) ?? {},
        ttlSeconds: readTtl(input.ttlDurationSeconds) ?? null,
      };
      const draft = await this.writer.createDraft(manager, caller, refOfCollection(collection), fields);
      await manager.insert(SdkArtifact, {
        versionId: draft,
        digest: input.digest,
        clientId: input.clientID ?? null,
        sequenceClientId: input.sequenceClientID ?? null,
        distributedId: input.distributedID ?? null,
        runId: run?.id ?? null,
        historyStep: input.historyStep === null || input.historyStep === undefined ? null : String(input.historyStep),
        aliases: aliasesOf(input),
        tags: (input.tags ?? []).map(({ tagName }) => tagName),
      });
      return draft;
    });
    return this.reader.get(caller, id, 'member');
  }

  /** Whatever the client may take for the artifact that it asks for. */
  private async findSame(
    caller: Principal,
    collection: CollectionSource<ProjectRef>,
    { clientID, distributedID, digest, enableDigestDeduplication, ...input }: CreateArtifactInput,
  ): Promise<ArtifactSource | null> {
    const drafts = await this.dataSource.query<{ id: string }[]>(
      `SELECT v.id FROM artifact_versions v JOIN sdk_artifacts s ON s.version_id = v.id
        WHERE v.collection_id = $1 AND (s.client_id = $2 OR (s.distributed_id = $3 AND v.committed_at IS NULL))
        ORDER BY v.created_at LIMIT 1`,
      [collection.entity.id, clientID ?? null, distributedID ?? null],
    );
    if (drafts[0]) return this.reader.get(caller, drafts[0].id, 'member');
    if (!enableDigestDeduplication) return null;
    // `latest` follows the newest version here: only that one can stand for a new one.
    const latest = await this.reader.findVersion(collection, 'latest');
    const newest = latest && (await this.reader.artifactOf(caller, latest));
    if (newest?.sdk?.digest !== digest) return null;
    for (const alias of aliasesOf(input)) await this.versions.putAlias(caller, nameOf(newest), alias);
    for (const { tagName } of input.tags ?? []) await this.versions.addTag(caller, nameOf(newest), tagName);
    return this.reader.get(caller, newest.row.id, 'member');
  }

  private async collectionFor(
    caller: Principal,
    project: ProjectRef,
    input: CreateArtifactInput,
  ): Promise<CollectionSource<ProjectRef>> {
    const name = checkName(
      input.artifactCollectionName ?? input.artifactCollectionNames?.[0],
      'artifactCollectionName',
    );
    const type = checkName(input.artifactTypeName, 'artifactTypeName');
    const owner = { projectId: project.id };
    const known = await this.collections.find(owner, name);
    if (!known) await this.collections.insert(this.dataSource.manager, owner, { name, type }, caller.username);
    const entity = known ?? (await this.collections.find(owner, name))!;
    if (entity.type === type) return collectionSource(entity, project);
    const place = `${project.entity}/${project.name}/${name}`;
    throw new ConflictError(`'${place}' holds artifacts of type '${entity.type}', not '${type}'`, 'artifact_type');
  }
}

/** `latest` moves by itself. */
const aliasesOf = ({ aliases }: Pick<CreateArtifactInput, 'aliases'>): string[] => [
  ...new Set((aliases ?? []).map(({ alias }) => alias).filter((alias) => alias !== 'latest')),
];
