import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { CollectionsRepository, VersionNotFoundError, type VersionRow, VersionsRepository } from '@heddle/artifacts';
import { EntityNotFoundError, MissingRoleError, type Principal } from '@heddle/auth';
import { ArtifactCollection, type PlaceRole, SdkArtifact } from '@heddle/database';
import { NotFoundError } from '@heddle/http';
import { ProjectAccessService, type ProjectRef } from '@heddle/projects';
import { isUUID } from 'class-validator';
import type { DataSource } from 'typeorm';
import { type ArtifactSource, collectionSource, type CollectionSource } from '../artifact-source.js';

/** `collection:version`; without a version, `latest`. */
const NAME = /^([^:]+)(?::(.+))?$/s;
const MD5 = /^[\da-f]{32}$/;

const NEWEST_OF_DIGEST = `
  SELECT m.version_id AS id FROM artifact_memberships m JOIN sdk_artifacts s USING (version_id)
   WHERE m.collection_id = $1 AND s.digest = $2 ORDER BY m.version_index DESC LIMIT 1`;

/** Finds versions as the SDK names them, for those who may see them. */
@Injectable()
export class SdkArtifactsReader {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly collections: CollectionsRepository,
    private readonly versions: VersionsRepository,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** A version or a draft by its id. Another team's is as one that doesn't exist. */
  async get(caller: Principal, id: string, role: PlaceRole = 'viewer'): Promise<ArtifactSource> {
    const found = isUUID(id)
      ? await this.dataSource.manager
          .createQueryBuilder(ArtifactCollection, 'c')
          .innerJoinAndSelect('c.project', 'p')
          .innerJoinAndSelect('p.team', 't')
          .where('c.id = (SELECT v.collection_id FROM artifact_versions v WHERE v.id = :id)', { id })
          .getOne()
      : null;
    if (!found?.project) throw new VersionNotFoundError('of yours', id);
    const name = { entity: found.project.team.name, project: found.project.name };
    const project = await this.access.requireRole(caller, name, role);
    const row = await this.versions.findDraft(found.id, id);
    if (!row) throw new VersionNotFoundError(found.name, id);
    return this.sourceOf(row, collectionSource(found, project));
  }

  /** As {@link get}, but null for what the caller can't see. */
  async find(caller: Principal, id: string): Promise<ArtifactSource | null> {
    try {
      return await this.get(caller, id);
    } catch (error) {
      const isHidden = error instanceof NotFoundError || error instanceof EntityNotFoundError;
      if (isHidden || error instanceof MissingRoleError) return null;
      throw error;
    }
  }

  async findCollection(project: ProjectRef, name: string): Promise<CollectionSource | null> {
    const entity = await this.collections.find({ projectId: project.id }, name);
    return entity && collectionSource(entity, project);
  }

  /** The committed version that `collection:version` names. */
  async findNamed(project: ProjectRef, name: string): Promise<ArtifactSource | null> {
    const [, collectionName, version = 'latest'] = NAME.exec(name) ?? [];
    const collection = collectionName === undefined ? null : await this.findCollection(project, collectionName);
    return collection && this.findVersion(collection, version);
  }

  /** @param version `vN`, an alias, an id, or a digest of either kind */
  async findVersion(collection: CollectionSource, version: string): Promise<ArtifactSource | null> {
    const row =
      (await this.versions.find(collection.entity.id, version)) ??
      (MD5.test(version) ? await this.findByMd5(collection.entity.id, version) : null);
    return row && this.sourceOf(row, collection);
  }

  /** The newest first; those of one page. */
  async list(collection: CollectionSource): Promise<ArtifactSource[]> {
    const rows = await this.versions.findPage(collection.entity.id, undefined, { limit: 1000, order: 'desc' });
    return Promise.all(rows.slice(0, 1000).map((row) => this.sourceOf(row, collection)));
  }

  /** This server's id of what the client gave an id of its own: a version, or a collection. */
  async findByClientId(caller: Principal, clientId: string): Promise<string | null> {
    const { manager } = this.dataSource;
    const versions = await manager.find(SdkArtifact, { where: { clientId }, order: { versionId: 'ASC' }, take: 10 });
    for (const { versionId } of versions) if (await this.find(caller, versionId)) return versionId;
    const members = await manager.find(SdkArtifact, { where: { sequenceClientId: clientId }, take: 10 });
    for (const { versionId } of members) {
      const source = await this.find(caller, versionId);
      if (source) return source.collection.entity.id;
    }
    return null;
  }

  private async findByMd5(collectionId: string, digest: string): Promise<VersionRow | null> {
    const [found] = await this.dataSource.query<{ id: string }[]>(NEWEST_OF_DIGEST, [collectionId, digest]);
    return found ? this.versions.find(collectionId, found.id) : null;
  }

  private async sourceOf(row: VersionRow, collection: CollectionSource): Promise<ArtifactSource> {
    return { row, collection, sdk: await this.dataSource.manager.findOneBy(SdkArtifact, { versionId: row.id }) };
  }
}
