import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';
import { BlobsService } from './blobs.service.js';

/** The lock keeps whoever removes a content away, or waits for him. */
const HOLD = `
  WITH there AS (SELECT sha256 FROM artifact_blobs WHERE sha256 = ANY($2) ORDER BY sha256 FOR KEY SHARE)
  INSERT INTO held_blobs (holder, sha256) SELECT $1, sha256 FROM there
  ON CONFLICT (holder, sha256) DO UPDATE SET held_at = now()`;

/** Contents that stay for one who will read them later, should nobody use them meanwhile: until he releases them. */
@Injectable()
export class HeldBlobsService {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly blobs: BlobsService,
  ) {}

  /** @param holder a uuid @returns false where one of them isn't there */
  async hold(holder: string, sha256s: readonly string[]): Promise<boolean> {
    const { rowCount } = await this.pool.query(HOLD, [holder, sha256s]);
    return rowCount === sha256s.length;
  }

  /** Bytes of contents that are held. */
  async sizesOf(sha256s: readonly string[]): Promise<Map<string, number>> {
    const sql = 'SELECT sha256, size_bytes::float8 AS size FROM artifact_blobs WHERE sha256 = ANY($1)';
    const { rows } = await this.pool.query<{ sha256: string; size: number }>(sql, [sha256s]);
    return new Map(rows.map(({ sha256, size }) => [sha256, size]));
  }

  /** What nobody else has by now goes. */
  async release(holder: string): Promise<void> {
    const sql = 'DELETE FROM held_blobs WHERE holder = $1 RETURNING sha256';
    const { rows } = await this.pool.query<{ sha256: string }>(sql, [holder]);
    await this.blobs.collectUnused(rows.map(({ sha256 }) => sha256));
  }

  /** Of holders that are gone. */
  async releaseHeldBefore(before: Date): Promise<void> {
    await this.pool.query('DELETE FROM held_blobs WHERE held_at < $1', [before]);
  }
}
