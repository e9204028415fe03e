import { Injectable } from '@nestjs/common';
import { type Actor, DomainEventsService } from '@heddle/events';
import { ValidationError } from '@heddle/http';
import type { EntityManager } from 'typeorm';
import { VersionNotFoundError } from '../artifacts.errors.js';
import { artifactSubject } from './artifact-subject.js';
import type { CollectionRef } from '../collections/collection-ref.js';
import { isReservedAlias, LATEST } from '../versions/version-selector.js';
import type { VersionRow } from '../versions/version-row.js';
import { VersionsRepository } from '../versions/versions.repository.js';

/** One statement: two moves at once leave the alias on one version. No row comes back if it sits there already. */
const PUT_ALIAS = `
  INSERT INTO artifact_aliases AS a (collection_id, alias, version_id) VALUES ($1, $2, $3)
  ON CONFLICT (collection_id, alias) DO UPDATE SET version_id = excluded.version_id
   WHERE a.version_id <> excluded.version_id
  RETURNING alias`;

const NEWEST = `
  SELECT version_id FROM artifact_memberships WHERE collection_id = $1 ORDER BY version_index DESC LIMIT 1`;

/**
 * Aliases and tags, inside the caller's transaction, each change with its domain event. What changes nothing tells
 * nobody. Project collections and registry collections are alike.
 */
@Injectable()
export class LabelWriter {
  constructor(
    private readonly versions: VersionsRepository,
    private readonly events: DomainEventsService,
  ) {}

  /** Puts an alias on a version, and takes it from the one that has it. @throws ValidationError for a reserved alias */
  async putAlias(
    manager: EntityManager,
    actor: Actor,
    collection: CollectionRef,
    versionId: string,
    alias: string,
    loc: (string | number)[],
  ): Promise<void> {
    requireFree(alias, loc);
    await this.moveAlias(manager, actor, collection, versionId, alias);
  }

  /** Puts `latest` on the newest version of the collection, if it has one. */
  async moveLatest(manager: EntityManager, actor: Actor, collection: CollectionRef): Promise<void> {
    const [newest] = await manager.query<{ version_id: string }[]>(NEWEST, [collection.id]);
    if (newest) await this.moveAlias(manager, actor, collection, newest.version_id, LATEST);
  }

  /** @returns false where the version has no such alias @throws ValidationError for a reserved alias */
  async removeAlias(
    manager: EntityManager,
    collection: CollectionRef,
    versionId: string,
    alias: string,
    loc: (string | number)[],
  ): Promise<boolean> {
    requireFree(alias, loc);
    const sql = 'DELETE FROM artifact_aliases WHERE collection_id = $1 AND alias = $2 AND version_id = $3';
    return (await affected(manager, sql, [collection.id, alias, versionId])) > 0;
  }

  async addTag(
    manager: EntityManager,
    actor: Actor,
    collection: CollectionRef,
    versionId: string,
    tag: string,
  ): Promise<void> {
    const subject = artifactSubject(collection, await this.hold(manager, collection, versionId));
    const sql =
      'INSERT INTO artifact_tags (collection_id, version_id, tag) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING tag';
    const added = await manager.query<unknown[]>(sql, [collection.id, versionId, tag]);
    if (added.length === 0) return;
    await this.events.publish(manager, { type: 'ADD_ARTIFACT_TAG', actor, place: collection.place, ...subject, tag });
  }

  /** @returns false where the version has no such tag */
  async removeTag(
    manager: EntityManager,
    actor: Actor,
    collection: CollectionRef,
    versionId: string,
    tag: string,
  ): Promise<boolean> {
    const sql = 'DELETE FROM artifact_tags WHERE collection_id = $1 AND version_id = $2 AND tag = $3';
    if ((await affected(manager, sql, [collection.id, versionId, tag])) === 0) return false;
    const subject = artifactSubject(collection, await this.hold(manager, collection, versionId));
    const event = { type: 'REMOVE_ARTIFACT_TAG', actor, place: collection.place, ...subject, tag } as const;
    await this.events.publish(manager, event);
    return true;
  }

  async addCollectionTag(manager: EntityManager, actor: Actor, collection: CollectionRef, tag: string): Promise<void> {
    const sql =
      'INSERT INTO artifact_collection_tags (collection_id, tag) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING tag';
    const added = await manager.query<unknown[]>(sql, [collection.id, tag]);
    if (added.length > 0) await this.publishCollectionTag(manager, 'ADD_COLLECTION_TAG', actor, collection, tag);
  }

  /** @returns false where the collection has no such tag */
  async removeCollectionTag(
    manager: EntityManager,
    actor: Actor,
    collection: CollectionRef,
    tag: string,
  ): Promise<boolean> {
    const sql = 'DELETE FROM artifact_collection_tags WHERE collection_id = $1 AND tag = $2';
    if ((await affected(manager, sql, [collection.id, tag])) === 0) return false;
    await this.publishCollectionTag(manager, 'REMOVE_COLLECTION_TAG', actor, collection, tag);
    return true;
  }

  /** A version as its collection has it, held there until the transaction ends. */
  async hold(manager: EntityManager, collection: CollectionRef, versionId: string): Promise<VersionRow> {
    const held = await manager.query<unknown[]>(
      'SELECT 1 FROM artifact_memberships WHERE collection_id = $1 AND version_id = $2 FOR KEY SHARE',
      [collection.id, versionId],
    );
    const row = held.length > 0 ? await this.versions.find(collection.id, versionId, manager) : null;
    if (!row) throw new VersionNotFoundError(collection.name, versionId);
    return row;
  }

  private async moveAlias(
    manager: EntityManager,
    actor: Actor,
    collection: CollectionRef,
    versionId: string,
    alias: string,
  ): Promise<void> {
    const subject = artifactSubject(collection, await this.hold(manager, collection, versionId));
    const moved = await manager.query<unknown[]>(PUT_ALIAS, [collection.id, alias, versionId]);
    if (moved.length === 0) return;
    await this.events.publish(manager, {
      type: 'ADD_ARTIFACT_ALIAS',
      actor,
      place: collection.place,
      ...subject,
      alias,
    });
  }

  private async publishCollectionTag(
    manager: EntityManager,
    type: 'ADD_COLLECTION_TAG' | 'REMOVE_COLLECTION_TAG',
    actor: Actor,
    { id, name, type: collectionType, place }: CollectionRef,
    tag: string,
  ): Promise<void> {
    await this.events.publish(manager, { type, actor, place, collection: { id, name, type: collectionType }, tag });
  }
}

function requireFree(alias: string, loc: (string | number)[]): void {
  if (!isReservedAlias(alias)) return;
  throw ValidationError.at(loc, `'${alias}' is reserved: it names a version by itself`, 'reserved_alias', alias);
}

async function affected(manager: EntityManager, sql: string, values: unknown[]): Promise<number> {
  const [, count] = await manager.query<[unknown[], number]>(sql, values);
  return count;
}
