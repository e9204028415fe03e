import { Injectable } from '@nestjs/common';
import { ArtifactCollection } from '@heddle/database';
import { type Actor, DomainEventsService } from '@heddle/events';
import type { EntityManager } from 'typeorm';
import { artifactSubject } from './artifact-subject.js';
import { CollectionNotFoundError, VersionNotFoundError } from '../artifacts.errors.js';
import type { CollectionRef } from '../collections/collection-ref.js';
import { LabelWriter } from './label.writer.js';
import type { VersionRow } from '../versions/version-row.js';

const ADD = `
  INSERT INTO artifact_memberships (collection_id, version_id, version_index, added_by) VALUES ($1, $2, $3, $4)`;

const REMOVE = 'DELETE FROM artifact_memberships WHERE collection_id = $1 AND version_id = $2';

const LINKS = 'SELECT version_id FROM artifact_memberships WHERE collection_id = $1 ORDER BY version_index';

/** The versions of a collection, inside the caller's transaction. Changes to one collection come one after the other. */
@Injectable()
export class MembershipWriter {
  constructor(
    private readonly labels: LabelWriter,
    private readonly events: DomainEventsService,
  ) {}

  /** Holds the collection against other changes of its versions until the transaction ends. */
  async lock(manager: EntityManager, collection: CollectionRef): Promise<ArtifactCollection> {
    const found = await manager.findOne(ArtifactCollection, {
      where: { id: collection.id },
      lock: { mode: 'for_no_key_update' },
    });
    if (!found) throw new CollectionNotFoundError(collection.name, collection.place.entity);
    return found;
  }

  /** Adds a version as the collection's newest, tells of it, and moves `latest`. */
  async add(
    manager: EntityManager,
    actor: Actor,
    collection: CollectionRef,
    versionId: string,
    type: 'CREATE_ARTIFACT' | 'LINK_ARTIFACT',
  ): Promise<void> {
    const { nextIndex } = await this.lock(manager, collection);
    // Waits for whoever deletes it at this moment.
    const held = await manager.query<unknown[]>('SELECT 1 FROM artifact_versions WHERE id = $1 FOR KEY SHARE', [
      versionId,
    ]);
    if (held.length === 0) throw new VersionNotFoundError(collection.name, versionId);
    await manager.query(ADD, [collection.id, versionId, nextIndex, actor.username]);
    await manager.update(ArtifactCollection, collection.id, { nextIndex: nextIndex + 1 });
    await this.publish(manager, type, actor, collection, await this.labels.hold(manager, collection, versionId));
    await this.labels.moveLatest(manager, actor, collection);
  }

  /** Takes a link away, tells of it, and moves `latest` back. */
  async unlink(manager: EntityManager, actor: Actor, collection: CollectionRef, versionId: string): Promise<void> {
    await this.lock(manager, collection);
    await this.removeLink(manager, actor, collection, versionId);
    await this.labels.moveLatest(manager, actor, collection);
  }

  /** Deletes a registry's collection: each of its links ends as by {@link unlink}, the versions stay in their projects. */
  async deleteCollection(manager: EntityManager, actor: Actor, collection: CollectionRef): Promise<void> {
    await this.lock(manager, collection);
    const links = await manager.query<{ version_id: string }[]>(LINKS, [collection.id]);
    for (const { version_id } of links) await this.removeLink(manager, actor, collection, version_id);
    await manager.delete(ArtifactCollection, { id: collection.id });
  }

  private async removeLink(
    manager: EntityManager,
    actor: Actor,
    collection: CollectionRef,
    versionId: string,
  ): Promise<void> {
    const row = await this.labels.hold(manager, collection, versionId);
    await manager.query(REMOVE, [collection.id, versionId]);
    await this.publish(manager, 'UNLINK_ARTIFACT', actor, collection, row);
  }

  /** A link concerns the registry and the project where the version was made: one event, which names both. */
  private async publish(
    manager: EntityManager,
    type: 'CREATE_ARTIFACT' | 'LINK_ARTIFACT' | 'UNLINK_ARTIFACT',
    actor: Actor,
    collection: CollectionRef,
    row: VersionRow,
  ): Promise<void> {
    const place = { ...collection.place, project: { id: row.project_id, name: row.project } };
    await this.events.publish(manager, { type, actor, place, ...artifactSubject(collection, row) });
  }
}
