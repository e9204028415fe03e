import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import { isPlain, type JsonNode, WorkTurns } from '@heddle/json';
import type pg from 'pg';
import { binaryArray } from '../store/binary-array.js';
import { jsonDigest } from '../objects/digest.js';

/** One statement carries about so much: enough to be fast, little enough not to hold up others. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_ROWS = 5000;

/** A row that waits for its batch. */
interface PendingRow {
  /** A view of the request's bytes. */
  val: Buffer;
  isPlain: boolean;
}

/** Stores rows by the digests of their content, each once for all tables of a project. */
@Injectable()
export class TableRowsWriter {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Returns the rows' digests, in order. */
  async write(projectId: number, rows: Iterable<JsonNode>, loc: (string | number)[]): Promise<string[]> {
    const digests: string[] = [];
    const seen = new Set<string>();
    const turns = new WorkTurns();
    let batch = new Map<string, PendingRow>();
    let bytes = 0;
    for (const row of rows) {
      if (turns.isOver()) await turns.next();
      const digest = await jsonDigest(row, [...loc, digests.length]);
      digests.push(digest);
      if (seen.has(digest)) continue;
      seen.add(digest);
      batch.set(digest, { val: row.raw(), isPlain: isPlain(row) });
      bytes += row.end - row.start;
      if (bytes < BATCH_BYTES && batch.size < BATCH_ROWS) continue;
      await this.insert(projectId, batch);
      batch = new Map();
      bytes = 0;
    }
    if (batch.size > 0) await this.insert(projectId, batch);
    return digests;
  }

  private async insert(projectId: number, batch: Map<string, PendingRow>): Promise<void> {
    // In one order everywhere: two batches with the same rows would otherwise wait for each other.
    const rows = [...batch].sort(([a], [b]) => (a < b ? -1 : 1));
    await this.pool.query(INSERT, [
      projectId,
      binaryArray('text', rows.length, (i) => rows[i]![0]),
      binaryArray('text', rows.length, (i) => rows[i]![1].val),
      rows.map(([, row]) => row.isPlain),
    ]);
  }
}

const INSERT = `
  INSERT INTO trace_table_rows (project_id, digest, val, is_plain)
  SELECT $1, digest, val, is_plain FROM unnest($2::text[], $3::text[], $4::boolean[]) AS row (digest, val, is_plain)
  ON CONFLICT DO NOTHING`;
