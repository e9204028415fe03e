import { Injectable } from '@nestjs/common';
import { ArtifactCollection } from '@heddle/database';
import { type Actor, DomainEventsService } from '@heddle/events';
import type { EntityManager } from 'typeorm';
import { CollectionNotFoundError } from './artifacts.errors.js';
import type { CollectionRef } from './collection-ref.js';
import { LabelWriter } from './label-writer.service.js';

const ADD = `
  INSERT INTO artifact_memberships (collection_id, version_id, version_index, added_by) VALUES ($1, $2, $3, $4)`;

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

  /** Adds a version as the collection's newest, tells of it, and moves `latest`. The collection is locked. */
  async add(
    manager: EntityManager,
    actor: Actor,
    collection: CollectionRef,
    versionId: string,
    event: { type: 'CREATE_ARTIFACT' | 'LINK_ARTIFACT'; place: CollectionRef['place'] },
  ): Promise<void> {
    const { nextIndex } = await this.lock(manager, collection);
    await manager.query(ADD, [collection.id, versionId, nextIndex, actor.username]);
    await manager.update(ArtifactCollection, collection.id, { nextIndex: nextIndex + 1 });
    const subject = await this.labels.subjectOf(manager, collection, versionId);
    await this.events.publish(manager, { ...event, actor, ...subject });
    await this.labels.moveLatest(manager, actor, collection);
  }

  /** Takes a link away. @returns false where the version is not in the collection */
  async unlink(
    manager: EntityManager,
    actor: Actor,
    collection: CollectionRef,
    versionId: string,
    place: CollectionRef['place'],
  ): Promise<boolean> {
    await this.lock(manager, collection);
    const subject = await this.labels.subjectOf(manager, collection, versionId);
    const [, removed] = await manager.query<[unknown[], number]>(
      'DELETE FROM artifact_memberships WHERE collection_id = $1 AND version_id = $2',
      [collection.id, versionId],
    );
    if (removed === 0) return false;
    await this.events.publish(manager, { type: 'UNLINK_ARTIFACT', actor, place, ...subject });
    await this.labels.moveLatest(manager, actor, collection);
    return true;
  }
}
