import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';

export interface RunFileRow {
  path: string;
  sha256: string;
  /** Hex. */
  md5: string | null;
  /** A bigint, hence text. */
  size: string;
  uploadedAt: Date;
}

export interface RunFileFilter {
  names?: readonly string[] | null | undefined;
  /** In SQL's LIKE form. */
  pattern?: string | null | undefined;
  /** Paths behind this one. */
  after?: string | null | undefined;
}

const PUT = `
  INSERT INTO run_files (run_id, path, sha256) VALUES ($1, $2, $3)
  ON CONFLICT (run_id, path) DO UPDATE SET sha256 = excluded.sha256, uploaded_at = now()`;

const FIND = `
  SELECT f.path, f.sha256, b.md5, b.size_bytes AS size, f.uploaded_at AS "uploadedAt"
    FROM run_files f JOIN artifact_blobs b USING (sha256)
   WHERE f.run_id = $1 AND ($2::text[] IS NULL OR f.path = ANY ($2)) AND ($3::text IS NULL OR f.path LIKE $3)
     AND ($4::text IS NULL OR f.path > $4)
   ORDER BY f.path LIMIT $5`;

const COPY_MEDIA = `
  INSERT INTO run_files (run_id, path, sha256, uploaded_at)
  SELECT $2, path, sha256, uploaded_at FROM run_files WHERE run_id = $1 AND path LIKE 'media/%'`;

@Injectable()
export class RunFilesRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async put(manager: EntityManager, runId: string, path: string, sha256: string): Promise<void> {
    await manager.query(PUT, [runId, path, sha256]);
  }

  /** For a history that was copied: the files that its lines name. */
  async copyMedia(manager: EntityManager, fromRunId: string, toRunId: string): Promise<void> {
    await manager.query(COPY_MEDIA, [fromRunId, toRunId]);
  }

  /** @returns the content that it had */
  async remove(manager: EntityManager, runId: string, path: string): Promise<string[]> {
    const sql = 'DELETE FROM run_files WHERE run_id = $1 AND path = $2 RETURNING sha256';
    const [rows] = await manager.query<[{ sha256: string }[], number]>(sql, [runId, path]);
    return rows.map(({ sha256 }) => sha256);
  }

  /** By path, `limit` + 1 files, where there are as many. */
  async findPage(runId: string, { names, pattern, after }: RunFileFilter, limit: number): Promise<RunFileRow[]> {
    const values = [runId, names ?? null, pattern ?? null, after ?? null, limit + 1];
    return (await this.pool.query<RunFileRow>(FIND, values)).rows;
  }

  async count(runId: string): Promise<number> {
    const sql = 'SELECT count(*)::int AS count FROM run_files WHERE run_id = $1';
    return (await this.pool.query<{ count: number }>(sql, [runId])).rows[0]!.count;
  }
}
