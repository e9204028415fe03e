import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import { encodeText } from '@heddle/json';
import type pg from 'pg';
import { CALL_COLUMNS, type CallRecord, VISIBLE_CALL } from '../store/call-record.js';
import { indexedCell } from '../store/new-row.js';
import { indexedText } from '../values/indexed-text.js';
import { inTransaction } from '../store/in-transaction.js';

/**
 * The given calls and all below them. UNION drops what was found before, so that a circle of parents ends. OFFSET 0 and the
 * arrays keep the planner, who can't know how few calls a tree has, from reading all of them at each level.
 */
const DELETE_TREES = `
  WITH RECURSIVE tree (id) AS (
    SELECT unnest($2::text[]) COLLATE "C"
    UNION
    SELECT child.id FROM tree
    CROSS JOIN LATERAL (SELECT id FROM calls WHERE project_id = $1 AND parent_id = tree.id OFFSET 0) child
  ), locked AS (
    -- In the order in which ingest locks its rows.
    SELECT id FROM calls WHERE project_id = $1 AND id = ANY (ARRAY (SELECT id FROM tree)) AND deleted_at IS NULL
    ORDER BY id FOR UPDATE
  )
  UPDATE calls SET deleted_at = now() WHERE project_id = $1 AND id = ANY (ARRAY (SELECT id FROM locked))`;

/**
 * OFFSET 0 makes the primary key the only choice: on a table that was never analysed, a new instance's, the planner takes an
 * index of visible calls to be as good, and reads the whole project.
 */
export const FIND_CALL = `
  SELECT ${CALL_COLUMNS} FROM (SELECT * FROM calls WHERE project_id = $1 AND id = $2 OFFSET 0) c WHERE ${VISIBLE_CALL}`;

/** What is done to one call, or to a few, by id. */
@Injectable()
export class CallsRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async find(projectId: number, callId: string): Promise<CallRecord | null> {
    const { rows } = await this.pool.query<CallRecord>(FIND_CALL, [projectId, indexedText(callId)]);
    return rows[0] ?? null;
  }

  /** Hides calls and all their descendants, and returns how many those were. What ingest says later changes nothing. */
  async delete(projectId: number, callIds: readonly string[]): Promise<number> {
    return inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(DELETE_TREES, [projectId, callIds.map(indexedText)]);
      return rowCount ?? 0;
    });
  }

  /**
   * Names a call; '' clears the name. A call that isn't there yet is named all the same, and hidden until its start
   * comes: clients send starts in batches, and may rename a call before its batch is sent.
   */
  async rename(projectId: number, callId: string, displayName: string): Promise<void> {
    const write = { long_texts: null };
    const id = indexedCell(write, callId);
    await this.pool.query(
      `INSERT INTO calls AS c (project_id, id, display_name, long_texts) VALUES ($1, $2, $3, $4)
       ON CONFLICT (project_id, id) DO UPDATE SET display_name = excluded.display_name
       WHERE c.display_name IS DISTINCT FROM excluded.display_name`,
      [projectId, id, encodeText(displayName), write.long_texts],
    );
  }
}
