import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { CollectionsRepository, VersionNotFoundError, type VersionRow, VersionsRepository } from '@heddle/artifacts';
import { EntityNotFoundError, MissingRoleError, type Principal } from '@heddle/auth';
import { ArtifactCollection, type PlaceRole, SdkArtifact } from '@heddle/database';
import { NotFoundError } from '@heddle/http';
import { ProjectAccessService } from '@heddle/projects';
import { isUUID } from 'class-validator';
import type { DataSource } from 'typeorm';
import { ownerOf, type PlaceSource, type ProjectSource } from '../../places/place-source.js';
import {
  type ArtifactSource,
  collectionSource,
  type CollectionSource,
  isSequence,
  type MembershipSource,
} from '../artifact-source.js';
import { MembershipsService } from './memberships.service.js';

/** `collection:version`; without a version, `latest`. */
const NAME = /^([^:]+)(?::(.+))?$/s;
const MD5 = /^[\da-f]{32}$/;

const NEWEST_OF_DIGEST = `
  SELECT m.version_id AS id FROM artifact_memberships m JOIN sdk_artifacts s USING (version_id)
   WHERE m.collection_id = $1 AND s.digest = $2 ORDER BY m.version_index DESC LIMIT 1`;

type ProjectCollection = CollectionSource<ProjectSource>;

/** Finds versions as the SDK names them, for those who may see them. */
@Injectable()
export class SdkArtifactsReader {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly collections: CollectionsRepository,
    private readonly versions: VersionsRepository,
    private readonly memberships: MembershipsService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** A version or a draft by its id. Another team's is as one that doesn't exist; what a registry links is its viewers' to read. */
  async get(caller: Principal, givenId: string, role: PlaceRole = 'viewer'): Promise<ArtifactSource> {
    const id = idOf(givenId);
    const found = await this.home(id);
    if (!found) throw new VersionNotFoundError('of yours', id);
    const seen = await this.seenBy(caller, found, role);
    const isHidden = seen.project.isHidden === true;
    if (isHidden && !(role === 'viewer' && (await this.memberships.isLinkedFor(caller, id)))) {
      throw new VersionNotFoundError('of yours', id);
    }
    return this.sourceOf(seen, id);
  }

  /** As {@link get}, but null for what the caller can't see. */
  async find(caller: Principal, id: string): Promise<ArtifactSource | null> {
    try {
      return await this.get(caller, id);
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof MissingRoleError) return null;
      throw error;
    }
  }

  async findCollection<Place extends PlaceSource>(
    project: Place,
    name: string,
  ): Promise<CollectionSource<Place> | null> {
    const entity = await this.collections.find(ownerOf(project), name);
    return entity && collectionSource(entity, project);
  }

  /** The committed version that `collection:version` names. */
  async findNamed(project: PlaceSource, name: string): Promise<MembershipSource | null> {
    const [, collectionName, version = 'latest'] = NAME.exec(name) ?? [];
    const collection = collectionName === undefined ? null : await this.findCollection(project, collectionName);
    return collection && this.findVersion(collection, version);
  }

  /** @param version `vN`, an alias, an id, or a digest of either kind */
  async findVersion(collection: CollectionSource, version: string): Promise<MembershipSource | null> {
    const row =
      (await this.versions.find(collection.entity.id, version)) ??
      (MD5.test(version) ? await this.findByMd5(collection.entity.id, version) : null);
    return row && { row, collection };
  }

  /** The version where it was made: whoever sees it in one collection sees it there. */
  async artifactOf(caller: Principal, { row, collection }: MembershipSource): Promise<ArtifactSource | null> {
    if (isSequence(collection)) return { row, collection, sdk: await this.sdkOf(row.id) };
    const found = await this.home(row.id);
    return found && this.sourceOf(await this.seenBy(caller, found, 'viewer'), row.id);
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

  /** The collection in which a version or draft was made, whosever it is. */
  private async home(versionId: string): Promise<ProjectCollection | null> {
    if (!isUUID(versionId)) return null;
    const found = await this.dataSource.manager
      .createQueryBuilder(ArtifactCollection, 'c')
      .innerJoinAndSelect('c.project', 'p')
      .innerJoinAndSelect('p.team', 't')
      .where('c.id = (SELECT v.collection_id FROM artifact_versions v WHERE v.id = :versionId)', { versionId })
      .getOne();
    if (!found?.project) return null;
    const { id, teamId, name, team } = found.project;
    return collectionSource(found, { id, teamId, entity: team.name, name });
  }

  /** With its project hidden, if the caller has no role there. @throws MissingRoleError for a lesser one */
  private async seenBy(caller: Principal, home: ProjectCollection, role: PlaceRole): Promise<ProjectCollection> {
    const { project } = home;
    try {
      await this.access.requireRole(caller, { entity: project.entity, project: project.name }, role);
      return home;
    } catch (error) {
      if (error instanceof EntityNotFoundError) return { ...home, project: { ...project, isHidden: true } };
      throw error;
    }
  }

  private async sourceOf(collection: ProjectCollection, id: string): Promise<ArtifactSource> {
    const row = await this.versions.findDraft(collection.entity.id, id);
    if (!row) throw new VersionNotFoundError(collection.entity.name, id);
    return { row, collection, sdk: await this.sdkOf(id) };
  }

  private sdkOf(versionId: string): Promise<SdkArtifact | null> {
    return this.dataSource.manager.findOneBy(SdkArtifact, { versionId });
  }
}

/** Clients take ids for base64, and give back those of their references without what that has no letters for. */
const idOf = (id: string): string =>
  /^[\da-f]{32}$/.test(id) ? id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : id;
