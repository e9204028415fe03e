import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type { JsonNode } from '@heddle/json';
import type pg from 'pg';
import { binaryArray } from '../store/binary-array.js';
import { inTransaction } from '../store/in-transaction.js';
import { countFeedback, selectFeedback } from './feedback-query.js';
import { FEEDBACK_COLUMNS, type FeedbackRow } from './feedback-row.js';
import type { QueryFeedback } from './feedback.schema.js';
import type { FeedbackInsert } from './new-feedback.js';

/** A row to be written, in a project and by somebody. */
export interface FeedbackWrite {
  projectId: number;
  row: FeedbackInsert;
}

type Queryable = Pick<pg.Pool, 'query'>;

@Injectable()
export class FeedbackRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Writes all in one statement; what has the id of older feedback changes nothing. Returns what is there, in order. */
  async add(writes: FeedbackWrite[], username: string): Promise<FeedbackRow[]> {
    return insert(this.pool, writes, username);
  }

  async replace(feedbackId: string, write: FeedbackWrite, username: string): Promise<FeedbackRow> {
    return inTransaction(this.pool, async (client) => {
      const ids = [feedbackId, write.row.id];
      await client.query('DELETE FROM feedback WHERE project_id = $1 AND id = ANY($2)', [write.projectId, ids]);
      const [row] = await insert(client, [write], username);
      return row!;
    });
  }

  async query(
    projectId: number,
    request: QueryFeedback,
    body: JsonNode,
  ): Promise<{ rows: FeedbackRow[]; total: number }> {
    const [select, count] = [selectFeedback(projectId, request, body), countFeedback(projectId, body)];
    const { rows } = await this.pool.query<FeedbackRow>(select.text, select.values);
    const { rows: counted } = await this.pool.query<{ count: number }>(count.text, count.values);
    return { rows, total: counted[0]!.count };
  }

  async purge(projectId: number, ids: string[]): Promise<void> {
    await this.pool.query('DELETE FROM feedback WHERE project_id = $1 AND id = ANY($2)', [projectId, ids]);
  }

  /** Everything about the given references, oldest first. */
  async about(projectId: number, weaveRefs: string[]): Promise<FeedbackRow[]> {
    const { rows } = await this.pool.query<FeedbackRow>(
      `SELECT ${FEEDBACK_COLUMNS} FROM feedback c WHERE c.project_id = $1 AND c.weave_ref = ANY($2)
       ORDER BY c.created_at, c.id`,
      [projectId, weaveRefs],
    );
    return rows;
  }
}

async function insert(db: Queryable, writes: FeedbackWrite[], username: string): Promise<FeedbackRow[]> {
  const texts = (name: keyof FeedbackInsert): Buffer | null =>
    binaryArray('text', writes.length, (i) => writes[i]!.row[name]);
  const [projectIds, ids] = [writes.map(({ projectId }) => projectId), writes.map(({ row }) => row.id)];
  await db.query(INSERT, [projectIds, username, ...INSERTED.map(texts)]);
  const { rows } = await db.query<FeedbackRow>(READ, [projectIds, ids]);
  return rows;
}

const INSERTED = [
  'id',
  'weave_ref',
  'feedback_type',
  'payload',
  'payload_search',
  'details',
  'creator',
  'annotation_ref',
  'runnable_ref',
  'call_ref',
  'trigger_ref',
  'queue_id',
] as const satisfies (keyof FeedbackInsert)[];

// Sorted, so that two batches with the same ids don't wait for each other in turn.
const INSERT = `
  INSERT INTO feedback (project_id, wb_user_id, ${INSERTED.join(', ')})
  SELECT project_id, $2, ${INSERTED.join(', ')}
  FROM unnest($1::int[], ${INSERTED.map((_, i) => `$${i + 3}::text[]`).join(', ')})
    AS row (project_id, ${INSERTED.join(', ')})
  ORDER BY project_id, id
  ON CONFLICT DO NOTHING`;

const READ = `
  SELECT ${FEEDBACK_COLUMNS}
  FROM unnest($1::int[], $2::text[]) WITH ORDINALITY AS wanted (project_id, id, n)
  JOIN feedback c ON c.project_id = wanted.project_id AND c.id = wanted.id
  ORDER BY wanted.n`;
