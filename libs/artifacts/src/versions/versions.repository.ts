import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { type PageQuery, ValidationError } from '@heddle/http';
import type { EntityManager } from 'typeorm';
import { SELECT_VERSIONS, type VersionRow } from './version-row.js';
import { parseSelector, type VersionSelector } from './version-selector.js';

const BY_SELECTOR: Readonly<Record<VersionSelector['kind'], string>> = {
  id: 'm.version_id = $2',
  index: `v.id = (SELECT version_id FROM artifact_memberships WHERE collection_id = $1 AND version_index = $2)`,
  alias: `v.id = (SELECT version_id FROM artifact_aliases WHERE collection_id = $1 AND alias = $2)`,
  // Versions with the same files have the same digest: the newest is meant.
  digest: `m.version_index = (SELECT max(i.version_index) FROM artifact_memberships i
                                JOIN artifact_versions d ON d.id = i.version_id
                               WHERE i.collection_id = $1 AND d.digest = $2)`,
};

/** Reads of versions. Drafts are found by their ids only. */
@Injectable()
export class VersionsRepository {
  constructor(@InjectEntityManager() private readonly manager: EntityManager) {}

  /** The committed version that `vN`, an alias, a digest or an id names in a collection. */
  async find(collectionId: string, version: string, manager = this.manager): Promise<VersionRow | null> {
    const selector = parseSelector(version);
    const sql = `${SELECT_VERSIONS} WHERE m.version_id IS NOT NULL AND ${BY_SELECTOR[selector.kind]}`;
    const [row] = await manager.query<VersionRow[]>(sql, [collectionId, valueOf(selector)]);
    return row ?? null;
  }

  async findDraft(collectionId: string, id: string, manager = this.manager): Promise<VersionRow | null> {
    if (parseSelector(id).kind !== 'id') return null;
    const sql = `${SELECT_VERSIONS} WHERE v.collection_id = $1 AND v.id = $2`;
    const [row] = await manager.query<VersionRow[]>(sql, [collectionId, id]);
    return row ?? null;
  }

  /** By number; the cursor is a version's id. `limit` + 1 rows, where there are as many. */
  async findPage(
    collectionId: string,
    tag: string | undefined,
    { after, limit, order }: PageQuery,
  ): Promise<VersionRow[]> {
    const isId = after !== undefined && parseSelector(after).kind === 'id';
    const cursor = isId ? await this.find(collectionId, after) : null;
    if (after !== undefined && !cursor) {
      throw ValidationError.at(['query', 'after'], 'No item of this list has this id', 'cursor', after);
    }
    const [follows, direction] = order === 'asc' ? ['>', 'ASC'] : ['<', 'DESC'];
    return this.manager.query<VersionRow[]>(
      `${SELECT_VERSIONS}
        WHERE m.version_id IS NOT NULL AND ($2::int IS NULL OR m.version_index ${follows} $2)
          AND ($3::text IS NULL OR EXISTS (SELECT FROM artifact_tags g
                WHERE g.collection_id = $1 AND g.version_id = v.id AND g.tag = $3))
        ORDER BY m.version_index ${direction} LIMIT $4`,
      [collectionId, cursor?.index ?? null, tag ?? null, limit + 1],
    );
  }
}

function valueOf(selector: VersionSelector): string | number {
  switch (selector.kind) {
    case 'id':
      return selector.id;
    case 'index':
      return selector.index;
    case 'alias':
      return selector.alias;
    case 'digest':
      return selector.digest;
  }
}
