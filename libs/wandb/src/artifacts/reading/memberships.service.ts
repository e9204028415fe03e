import { Injectable } from '@nestjs/common';
import { CollectionsRepository, VersionsRepository } from '@heddle/artifacts';
import { EntityNotFoundError, MissingRoleError, type Principal } from '@heddle/auth';
import { InjectPool } from '@heddle/database';
import { RegistryAccessService, RegistryNotFoundError, type RegistryRef } from '@heddle/registries';
import type pg from 'pg';
import { registrySource } from '../../places/place-source.js';
import { type ArtifactSource, collectionSource, type MembershipSource } from '../artifact-source.js';

interface LinkRow {
  entity: string;
  registry: string;
  collection: string;
}

const LINKS = `
  SELECT t.name AS entity, r.name AS registry, c.name AS collection
    FROM artifact_memberships m
    JOIN artifact_collections c ON c.id = m.collection_id
    JOIN registries r ON r.id = c.registry_id
    JOIN teams t ON t.id = r.team_id
   WHERE m.version_id = $1 ORDER BY m.added_at, c.id`;

/** In which collections a version is: the one where it was made, and those of registries that link it. */
@Injectable()
export class MembershipsService {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly registries: RegistryAccessService,
    private readonly collections: CollectionsRepository,
    private readonly versions: VersionsRepository,
  ) {}

  /** Whether a registry that the caller may read links it. */
  async isLinkedFor(caller: Principal, versionId: string): Promise<boolean> {
    for (const link of await this.linksOf(versionId)) if (await this.registryOf(caller, link)) return true;
    return false;
  }

  /** Those that the caller may see. */
  async of(caller: Principal, { row, collection }: ArtifactSource): Promise<MembershipSource[]> {
    if (!row.committed_at) return [];
    const found: MembershipSource[] = [{ row, collection }];
    for (const link of await this.linksOf(row.id)) {
      const registry = await this.registryOf(caller, link);
      const entity = registry && (await this.collections.find({ registryId: registry.id }, link.collection));
      const linked = entity && (await this.versions.find(entity.id, row.id));
      if (linked) found.push({ row: linked, collection: collectionSource(entity, registrySource(registry)) });
    }
    return found;
  }

  private async linksOf(versionId: string): Promise<LinkRow[]> {
    return (await this.pool.query<LinkRow>(LINKS, [versionId])).rows;
  }

  private async registryOf(caller: Principal, { entity, registry }: LinkRow): Promise<RegistryRef | null> {
    try {
      return await this.registries.requireRole(caller, { entity, registry }, 'viewer');
    } catch (error) {
      const isHidden = error instanceof RegistryNotFoundError || error instanceof EntityNotFoundError;
      if (isHidden || error instanceof MissingRoleError) return null;
      throw error;
    }
  }
}
