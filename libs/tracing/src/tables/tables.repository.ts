import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';
import { binaryArray } from '../store/binary-array.js';

/** Row digests of a table that are kept together. */
export const CHUNK_ROWS = 1000;

export interface TableSize {
  digest: string;
  count: number;
  /** Of the distinct rows' texts; null where it was not asked for. */
  storage_size_bytes: number | null;
}

@Injectable()
export class TablesRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Stores a table whose rows are stored already. The same table again stays as it is. */
  async save(projectId: number, digest: string, rowDigests: string[]): Promise<void> {
    const positions = Array.from({ length: Math.ceil(rowDigests.length / CHUNK_ROWS) }, (_, i) => i * CHUNK_ROWS);
    const values = [projectId, digest, rowDigests.length, positions, texts(rowDigests), CHUNK_ROWS];
    await this.pool.query(SAVE, values);
  }

  /** The digests of a table's rows, in order; null if there is no such table. */
  async rowDigests(projectId: number, digest: string): Promise<string[] | null> {
    const [size] = await this.sizes(projectId, [digest], false);
    if (!size) return null;
    const { rows } = await this.pool.query<{ row_digests: string[] }>(
      'SELECT row_digests FROM trace_table_chunks WHERE project_id = $1 AND table_digest = $2 ORDER BY position',
      [projectId, digest],
    );
    return rows.flatMap((row) => row.row_digests);
  }

  /** The first of the digests that no row has. */
  async missingRow(projectId: number, rowDigests: string[]): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ digest: string }>(
      `SELECT digest FROM unnest($2::text[]) WITH ORDINALITY AS wanted (digest, n)
       WHERE NOT EXISTS (SELECT FROM trace_table_rows r WHERE r.project_id = $1 AND r.digest = wanted.digest)
       ORDER BY n LIMIT 1`,
      [projectId, texts(rowDigests)],
    );
    return rows[0]?.digest;
  }

  /** Those of the tables that exist. */
  async sizes(projectId: number, digests: string[], withStorage: boolean): Promise<TableSize[]> {
    const { rows } = await this.pool.query<TableSize>(
      `SELECT t.digest, t.row_count AS count, ${withStorage ? STORAGE : 'NULL'}::float8 AS storage_size_bytes
       FROM trace_tables t WHERE t.project_id = $1 AND t.digest = ANY($2)`,
      [projectId, digests],
    );
    return rows;
  }

  /** Texts of rows by digest, for those that exist. */
  async rows(projectId: number, digests: string[]): Promise<Map<string, string>> {
    const { rows } = await this.pool.query<{ digest: string; val: string }>(
      'SELECT digest, val FROM trace_table_rows WHERE project_id = $1 AND digest = ANY($2)',
      [projectId, digests],
    );
    return new Map(rows.map(({ digest, val }) => [digest, val]));
  }
}

/** An array parameter: with 100,000 elements, what the driver does for one takes a while. */
const texts = (list: string[]): Buffer | string[] => binaryArray('text', list.length, (i) => list[i]!) ?? [];

const SAVE = `
  WITH chunks AS (
    INSERT INTO trace_table_chunks (project_id, table_digest, position, row_digests)
    SELECT $1, $2, position, ($5::text[])[position + 1 : position + $6] FROM unnest($4::int[]) AS position
    ON CONFLICT DO NOTHING
  )
  INSERT INTO trace_tables (project_id, digest, row_count) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`;

const STORAGE = `(
  SELECT COALESCE(sum(octet_length(r.val)), 0) FROM trace_table_rows r
  WHERE r.project_id = t.project_id AND r.digest IN (
    SELECT unnest(c.row_digests) FROM trace_table_chunks c
    WHERE c.project_id = t.project_id AND c.table_digest = t.digest))`;
