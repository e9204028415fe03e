import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { FileStore, type ReceivedFile } from './file-store.js';

/** Largest file: 8 GiB. */
export const MAX_FILE_BYTES = 8 * 1024 ** 3;

/** Waits for whoever removes or keeps the same content at this moment. */
const RECORD = `
  INSERT INTO artifact_blobs (sha256, size_bytes, md5) VALUES ($1, $2, $3)
  ON CONFLICT (sha256) DO UPDATE SET received_at = now(), md5 = excluded.md5`;

const UNUSED = `NOT EXISTS (SELECT FROM artifact_files f WHERE f.sha256 = b.sha256)
  AND NOT EXISTS (SELECT FROM run_files r WHERE r.sha256 = b.sha256)
  AND NOT EXISTS (SELECT FROM held_blobs h WHERE h.sha256 = b.sha256)`;

/**
 * Content of the file store and its rows. A row is there before its file and goes after it, and whoever keeps or removes
 * a file holds its row: no file that somebody uses is removed, and none that nobody uses is forgotten.
 */
@Injectable()
export class BlobsService {
  constructor(
    private readonly store: FileStore,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Takes a source into the store. It is nobody's yet: keep it in a transaction, or discard it. */
  async receive(source: Readable, maxBytes = MAX_FILE_BYTES, length?: number): Promise<ReceivedFile> {
    const file = await this.store.receive(source, maxBytes, length);
    try {
      // Committed at once, so that a file whose keeper dies is found.
      await this.dataSource.query(RECORD, [file.sha256, file.size, file.md5]);
      await file.send();
      return file;
    } catch (error) {
      await file.discard();
      throw error;
    }
  }

  /** Puts received files at paths of a draft, instead of those that are there. */
  async keep(manager: EntityManager, versionId: string, files: ReadonlyMap<string, ReceivedFile>): Promise<void> {
    // In one order, so that two keepers of the same contents don't wait for each other.
    const sorted = [...files].sort(([, a], [, b]) => (a.sha256 < b.sha256 ? -1 : 1));
    for (const [path, file] of sorted) {
      await this.hold(manager, file);
      await manager.query(
        `INSERT INTO artifact_files (version_id, path, sha256) VALUES ($1, $2, $3)
         ON CONFLICT (version_id, path) DO UPDATE SET sha256 = excluded.sha256`,
        [versionId, path, file.sha256],
      );
    }
  }

  /** Makes a received file content that stays, once the caller's transaction has written who uses it. */
  async hold(manager: EntityManager, file: ReceivedFile): Promise<void> {
    await manager.query(RECORD, [file.sha256, file.size, file.md5]);
    await file.keep();
  }

  /** Takes a source into the store at once. Nobody uses it yet: it is pruned after a day, or collected. */
  async take(source: Readable, maxBytes = MAX_FILE_BYTES): Promise<Pick<ReceivedFile, 'sha256' | 'size'>> {
    const file = await this.receive(source, maxBytes);
    try {
      await this.dataSource.transaction((manager) => this.hold(manager, file));
      return { sha256: file.sha256, size: file.size };
    } finally {
      await file.discard();
    }
  }

  /** MD5 of a content, in hex: of one that came before these were taken, read from it now. Null where it is gone. */
  async md5Of(sha256: string): Promise<string | null> {
    const [row] = await this.dataSource.query<{ md5: string | null }[]>(
      'SELECT md5 FROM artifact_blobs WHERE sha256 = $1',
      [sha256],
    );
    if (!row || row.md5 !== null) return row?.md5 ?? null;
    const content = await this.store.open(sha256);
    if (!content) return null;
    const hash = createHash('md5');
    for await (const chunk of content) hash.update(chunk as Buffer);
    const md5 = hash.digest('hex');
    await this.dataSource.query('UPDATE artifact_blobs SET md5 = $2 WHERE sha256 = $1', [sha256, md5]);
    return md5;
  }

  /** Removes those of these contents that no file uses. */
  async collect(sha256s: readonly string[]): Promise<void> {
    for (const sha256 of sha256s) await this.collectOne(sha256);
  }

  /** The same of many contents, most of which are used. */
  async collectUnused(sha256s: readonly string[]): Promise<void> {
    const sql = `SELECT sha256 FROM artifact_blobs b WHERE sha256 = ANY($1) AND ${UNUSED}`;
    const rows = await this.dataSource.query<{ sha256: string }[]>(sql, [sha256s]);
    await this.collect(rows.map(({ sha256 }) => sha256));
  }

  /** Removes all content that no file uses, and that did not arrive just now. */
  async collectAll(receivedBefore: Date): Promise<number> {
    const sql = `SELECT sha256 FROM artifact_blobs b WHERE received_at < $1 AND ${UNUSED}`;
    const rows = await this.dataSource.query<{ sha256: string }[]>(sql, [receivedBefore]);
    await this.collect(rows.map(({ sha256 }) => sha256));
    await this.store.removeAbandoned(receivedBefore);
    return rows.length;
  }

  private async collectOne(sha256: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.query('SELECT 1 FROM artifact_blobs WHERE sha256 = $1 FOR UPDATE', [sha256]);
      // A statement of its own: it sees what those wrote for whom the lock waited.
      const sql = `DELETE FROM artifact_blobs b WHERE sha256 = $1 AND ${UNUSED}`;
      const [, removed] = await manager.query<[unknown[], number]>(sql, [sha256]);
      if (removed > 0) await this.store.remove(sha256);
    });
  }
}
