import { Injectable } from '@nestjs/common';
import { ArtifactVersion } from '@heddle/database';
import type { Actor } from '@heddle/events';
import { ValidationError } from '@heddle/http';
import { writeExact } from '@heddle/json';
import type { EntityManager } from 'typeorm';
import { DraftCommittedError, DraftNotFoundError, VersionLinkedError } from '../artifacts.errors.js';
import { BlobsService } from '../storage/blobs.service.js';
import type { CollectionRef } from '../collections/collection-ref.js';
import type { ReceivedFile } from '../storage/file-store.js';
import { mayExpire } from '../versions/time-to-live.js';
import { LabelWriter } from './label.writer.js';
import { manifestDigest, type ManifestFile } from './manifest.js';
import { MembershipWriter } from './membership.writer.js';

export interface NewVersion {
  description?: string | null;
  /** At most 256 KiB as JSON. */
  metadata?: Record<string, unknown>;
  /** Seconds from now; 0: for good; null: what is inherited. */
  ttlSeconds?: number | null;
}

export interface VersionLabels {
  aliases?: readonly string[];
  tags?: readonly string[];
}

const MAX_METADATA_BYTES = 256 * 1024;

const MANIFEST = `
  SELECT f.path, f.sha256, b.size_bytes FROM artifact_files f JOIN artifact_blobs b USING (sha256)
   WHERE f.version_id = $1 ORDER BY f.path`;

const LINKS = `
  SELECT t.name || '/' || r.name || '/' || c.name AS place
    FROM artifact_memberships m
    JOIN artifact_collections c ON c.id = m.collection_id
    JOIN registries r ON r.id = c.registry_id
    JOIN teams t ON t.id = r.team_id
   WHERE m.version_id IN (SELECT id FROM artifact_versions WHERE collection_id = $1 AND ($2::uuid IS NULL OR id = $2))
   ORDER BY place`;

/**
 * Makes and deletes versions inside the caller's transaction, each change with its domain event. Who may do so is for
 * callers to check: requests, by way of their services, and features that have artifacts of their own.
 */
@Injectable()
export class ArtifactWriter {
  constructor(
    private readonly blobs: BlobsService,
    private readonly memberships: MembershipWriter,
    private readonly labels: LabelWriter,
  ) {}

  /** A whole version at once: a draft, its files, and the commit. @returns the version's id */
  async create(
    manager: EntityManager,
    actor: Actor,
    collection: CollectionRef,
    fields: NewVersion & VersionLabels & { files?: ReadonlyMap<string, ReceivedFile> },
  ): Promise<string> {
    const id = await this.createDraft(manager, actor, collection, fields);
    await this.blobs.keep(manager, id, fields.files ?? new Map());
    await this.commit(manager, actor, collection, id, fields);
    return id;
  }

  /** A version that nobody sees yet, and that is pruned if it is not committed. @returns its id */
  async createDraft(
    manager: EntityManager,
    actor: Actor,
    collection: CollectionRef,
    { description = null, metadata = {}, ttlSeconds = null }: NewVersion,
  ): Promise<string> {
    const draft = {
      collectionId: collection.id,
      description,
      metadata: metadataText(metadata),
      ttlSeconds: ttlSeconds === null ? null : String(checkTtl(collection, ttlSeconds)),
      createdBy: actor.username,
    };
    const { identifiers } = await manager.insert(ArtifactVersion, draft);
    return (identifiers[0] as { id: string }).id;
  }

  /** Adds a file to a draft, or replaces it. The commit waits for it. */
  async addFile(manager: EntityManager, draftId: string, path: string, file: ReceivedFile): Promise<void> {
    await lockDraft(manager, draftId, 'pessimistic_read');
    await this.blobs.keep(manager, draftId, new Map([[path, file]]));
  }

  /** Puts content that the store has at a path of a draft. Whether the caller may have it is settled before. */
  async copyFile(manager: EntityManager, draftId: string, path: string, sha256: string): Promise<void> {
    await lockDraft(manager, draftId, 'pessimistic_read');
    await manager.query(
      `INSERT INTO artifact_files (version_id, path, sha256) VALUES ($1, $2, $3)
       ON CONFLICT (version_id, path) DO UPDATE SET sha256 = excluded.sha256`,
      [draftId, path, sha256],
    );
  }

  /** @returns false where the draft has no such file */
  async removeFile(manager: EntityManager, draftId: string, path: string): Promise<boolean> {
    await lockDraft(manager, draftId, 'pessimistic_read');
    const sql = 'DELETE FROM artifact_files WHERE version_id = $1 AND path = $2';
    const [, removed] = await manager.query<[unknown[], number]>(sql, [draftId, path]);
    return removed > 0;
  }

  /** Makes a draft the collection's newest version. */
  async commit(
    manager: EntityManager,
    actor: Actor,
    collection: CollectionRef,
    draftId: string,
    { aliases = [], tags = [] }: VersionLabels,
  ): Promise<void> {
    await this.memberships.lock(manager, collection);
    await lockDraft(manager, draftId, 'pessimistic_write');
    const files = await manager.query<ManifestFile[]>(MANIFEST, [draftId]);
    await manager.update(ArtifactVersion, draftId, {
      digest: manifestDigest(files),
      fileCount: files.length,
      sizeBytes: String(files.reduce((sum, file) => sum + Number(file.size_bytes), 0)),
      committedAt: new Date(),
    });
    await this.memberships.add(manager, actor, collection, draftId, 'CREATE_ARTIFACT');
    for (const [index, alias] of aliases.entries()) {
      await this.labels.putAlias(manager, actor, collection, draftId, alias, ['body', 'aliases', index]);
    }
    for (const tag of tags) await this.labels.addTag(manager, actor, collection, draftId, tag);
  }

  /** @returns contents to collect once the transaction has committed */
  async deleteDraft(manager: EntityManager, collection: CollectionRef, draftId: string): Promise<string[]> {
    await lockDraft(manager, draftId, 'pessimistic_write');
    const contents = await contentsOf(manager, 'f.version_id = $1', draftId);
    await manager.delete(ArtifactVersion, { id: draftId, collectionId: collection.id });
    return contents;
  }

  /**
   * Deletes a version; `latest` goes back to the newest that is left.
   * @returns contents to collect once the transaction has committed
   * @throws VersionLinkedError where a registry links it
   */
  async delete(manager: EntityManager, actor: Actor, collection: CollectionRef, versionId: string): Promise<string[]> {
    await this.memberships.lock(manager, collection);
    // Whoever links it at this moment waits, and then doesn't find it.
    await manager.query('SELECT 1 FROM artifact_versions WHERE id = $1 FOR UPDATE', [versionId]);
    await requireNoLinks(manager, collection.id, versionId);
    const contents = await contentsOf(manager, 'f.version_id = $1', versionId);
    await manager.delete(ArtifactVersion, { id: versionId, collectionId: collection.id });
    await this.labels.moveLatest(manager, actor, collection);
    return contents;
  }

  /** As {@link delete}, for a collection with all its versions. */
  async deleteCollection(manager: EntityManager, collection: CollectionRef): Promise<string[]> {
    await manager.query('SELECT 1 FROM artifact_collections WHERE id = $1 FOR UPDATE', [collection.id]);
    await manager.query('SELECT 1 FROM artifact_versions WHERE collection_id = $1 FOR UPDATE', [collection.id]);
    await requireNoLinks(manager, collection.id, null);
    const versions = 'f.version_id IN (SELECT id FROM artifact_versions WHERE collection_id = $1)';
    const contents = await contentsOf(manager, versions, collection.id);
    await manager.query('DELETE FROM artifact_collections WHERE id = $1', [collection.id]);
    return contents;
  }
}

export function metadataText(metadata: Record<string, unknown>): string {
  const text = writeExact(metadata);
  if (Buffer.byteLength(text) <= MAX_METADATA_BYTES) return text;
  throw ValidationError.at(['body', 'metadata'], `must have at most ${MAX_METADATA_BYTES} bytes`, 'metadata_too_large');
}

/** @throws ValidationError for what clients make by themselves, which stays as long as what names it */
export function checkTtl({ type }: CollectionRef, seconds: number): number {
  if (seconds === 0 || mayExpire(type)) return seconds;
  throw ValidationError.at(['body', 'ttl_seconds'], `Artifacts of type '${type}' don't expire`, 'ttl', seconds);
}

async function lockDraft(
  manager: EntityManager,
  id: string,
  mode: 'pessimistic_read' | 'pessimistic_write',
): Promise<void> {
  const draft = await manager.findOne(ArtifactVersion, { where: { id }, lock: { mode } });
  if (!draft) throw new DraftNotFoundError(id);
  if (draft.committedAt) throw new DraftCommittedError(id);
}

async function requireNoLinks(manager: EntityManager, collectionId: string, versionId: string | null): Promise<void> {
  const links = await manager.query<{ place: string }[]>(LINKS, [collectionId, versionId]);
  if (links.length > 0) throw new VersionLinkedError([...new Set(links.map(({ place }) => `'${place}'`))]);
}

async function contentsOf(manager: EntityManager, files: string, id: string): Promise<string[]> {
  const rows = await manager.query<{ sha256: string }[]>(
    `SELECT DISTINCT f.sha256 FROM artifact_files f WHERE ${files} ORDER BY f.sha256`,
    [id],
  );
  return rows.map(({ sha256 }) => sha256);
}
