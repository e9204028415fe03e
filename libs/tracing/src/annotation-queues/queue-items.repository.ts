import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import { encodeText } from '@heddle/json';
import type pg from 'pg';
import { isoTime } from '../query/time-literal.js';
import { makeId } from '../store/call-ids.js';
import { VISIBLE_CALL } from '../store/call-record.js';
import { inTransaction } from '../store/in-transaction.js';
import { indexedText } from '../values/indexed-text.js';
import type { AddCalls, QueryItems } from './annotation-queues.schema.js';

/** As stored: call ids and names in their indexed forms. */
export interface ItemRow {
  id: string;
  call_id: string;
  call_started_at: string;
  call_ended_at: string | null;
  call_op_name: string;
  call_trace_id: string;
  long_texts: Record<string, string> | null;
  display_fields: string[];
  added_by: string;
  created_at: string;
  updated_at: string;
  annotation_state: string;
  annotator_user_id: string;
  /** Digits. */
  position: string;
}

export interface AddedCalls {
  added: number;
  duplicates: number;
}

@Injectable()
export class QueueItemsRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /**
   * Puts calls that are to be seen into a queue, in their order; what is in it stays. Null: there is no such queue.
   * @param most items that a queue may have @throws what `full` makes, for more; nothing is added then
   */
  async add(
    projectId: number,
    queueId: string,
    { call_ids: callIds, display_fields: fields }: AddCalls,
    { addedBy, most, full }: { addedBy: string; most: number; full: () => Error },
  ): Promise<AddedCalls | null> {
    return inTransaction(this.pool, async (client) => {
      const id = encodeText(queueId);
      // Until the commit nobody else adds, nor deletes the queue.
      const { rowCount } = await client.query(LOCK, [projectId, id]);
      if (!rowCount) return null;
      const calls = [...new Set(callIds)].map(indexedText);
      const ids = calls.map(makeId).sort();
      const before = await count(client, projectId, id, calls);
      const { rowCount: added } = await client.query(ADD, [
        ...[projectId, id, calls, ids, fields.map(encodeText), addedBy],
      ]);
      if (before.all + (added ?? 0) > most) throw full();
      return { added: added ?? 0, duplicates: before.asked };
    });
  }

  async query(projectId: number, queueId: string, request: QueryItems, most: number): Promise<ItemRow[]> {
    const { filter = {}, sort_by, limit, offset } = request;
    const sorts = (sort_by ?? []).map(({ field, direction }) => `i.${SORTED[field]} ${direction}`);
    const indexed = (text: string | null | undefined): string | null => (text == null ? null : indexedText(text));
    const states = filter.annotation_states?.length ? filter.annotation_states : null;
    const { rows } = await this.pool.query<ItemRow>(query([...(sorts.length > 0 ? sorts : ['i.created_at']), 'i.id']), [
      ...[projectId, encodeText(queueId), filter.id == null ? null : encodeText(filter.id), indexed(filter.call_id)],
      ...[indexed(filter.call_op_name), indexed(filter.call_trace_id)],
      ...[filter.added_by == null ? null : encodeText(filter.added_by), states, limit ?? most, offset ?? 0],
    ]);
    return rows;
  }

  /** Of each queue, in their order: all items, and those that somebody is done with. */
  async counts(projectId: number, queueIds: string[]): Promise<{ total: number; completed: number }[]> {
    const { rows } = await this.pool.query<{ total: number; completed: number }>(COUNTS, [
      projectId,
      queueIds.map(encodeText),
    ]);
    return rows;
  }

  /**
   * Says how far somebody is with an item: from nothing to anything, and from `in_progress` on. Returns the state that
   * counts now, which is another than was said if that can't follow; null where there is no such item.
   */
  async progress(projectId: number, queueId: string, itemId: string, annotator: string, state: string) {
    const values = [projectId, encodeText(queueId), encodeText(itemId), annotator, state];
    await this.pool.query(PROGRESS, values);
    const { rows } = await this.pool.query<{ state: string }>(STATE, values.slice(0, 4));
    return rows[0]?.state ?? null;
  }
}

async function count(client: pg.PoolClient, projectId: number, queueId: string, calls: string[]) {
  const { rows } = await client.query<{ all: number; asked: number }>(
    `SELECT count(*)::int AS all, count(*) FILTER (WHERE call_id = ANY($3))::int AS asked
     FROM annotation_queue_items WHERE project_id = $1 AND queue_id = $2`,
    [projectId, queueId, calls],
  );
  return rows[0]!;
}

/** An item itself never changes. */
const SORTED = {
  call_started_at: 'call_started_at',
  call_op_name: 'call_op_name',
  created_at: 'created_at',
  updated_at: 'created_at',
};

const LOCK = `
  SELECT 1 FROM annotation_queues WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`;

const ADD = `
  INSERT INTO annotation_queue_items (project_id, id, queue_id, call_id, call_started_at, call_ended_at, call_op_name,
    call_trace_id, long_texts, display_fields, added_by)
  SELECT c.project_id, wanted.id, $2, c.id, c.started_at, c.ended_at, COALESCE(c.op_name, ''), COALESCE(c.trace_id, ''),
    c.long_texts, $5, $6
  FROM unnest($3::text[], $4::text[]) AS wanted (call_id, id)
  CROSS JOIN LATERAL (SELECT * FROM calls WHERE project_id = $1 AND id = wanted.call_id OFFSET 0) c
  WHERE ${VISIBLE_CALL}
  ON CONFLICT (project_id, queue_id, call_id) DO NOTHING`;

const query = (order: string[]): string => `
  SELECT i.id, i.call_id, ${isoTime('i.call_started_at')} AS call_started_at,
    ${isoTime('i.call_ended_at')} AS call_ended_at, i.call_op_name, i.call_trace_id, i.long_texts, i.display_fields,
    i.added_by, ${isoTime('i.created_at')} AS created_at, ${isoTime('i.created_at')} AS updated_at,
    COALESCE(p.state, 'unstarted') AS annotation_state, COALESCE(p.annotator, '') AS annotator_user_id,
    row_number() OVER (ORDER BY ${order.join(', ')}) AS position
  FROM annotation_queue_items i
  LEFT JOIN LATERAL (
    SELECT state, annotator FROM annotation_progress p WHERE p.project_id = i.project_id AND p.item_id = i.id
    ORDER BY p.updated_at DESC, p.annotator LIMIT 1
  ) p ON true
  WHERE i.project_id = $1 AND i.queue_id = $2 AND ($3::text IS NULL OR i.id = $3)
    AND ($4::text IS NULL OR i.call_id = $4) AND ($5::text IS NULL OR i.call_op_name = $5)
    AND ($6::text IS NULL OR i.call_trace_id = $6) AND ($7::text IS NULL OR i.added_by = $7)
    AND ($8::text[] IS NULL OR COALESCE(p.state, 'unstarted') = ANY($8))
  ORDER BY ${order.join(', ')} LIMIT $9 OFFSET $10`;

const COUNTS = `
  SELECT count(i.id)::int AS total,
    count(i.id) FILTER (WHERE EXISTS (
      SELECT 1 FROM annotation_progress p
      WHERE p.project_id = i.project_id AND p.item_id = i.id AND p.state IN ('completed', 'skipped')
    ))::int AS completed
  FROM unnest($2::text[]) WITH ORDINALITY AS wanted (id, n)
  LEFT JOIN annotation_queue_items i ON i.project_id = $1 AND i.queue_id = wanted.id
  GROUP BY wanted.n ORDER BY wanted.n`;

const ITEM = `annotation_queue_items i
  WHERE i.project_id = $1 AND i.queue_id = $2 AND i.id = $3 AND EXISTS (
    SELECT 1 FROM annotation_queues q WHERE q.project_id = i.project_id AND q.id = i.queue_id AND q.deleted_at IS NULL)`;

const PROGRESS = `
  INSERT INTO annotation_progress AS p (project_id, item_id, annotator, state)
  SELECT i.project_id, i.id, $4, $5 FROM ${ITEM}
  ON CONFLICT (project_id, item_id, annotator) DO UPDATE SET state = excluded.state, updated_at = now()
  WHERE p.state = 'in_progress' AND excluded.state <> 'in_progress'`;

const STATE = `
  SELECT p.state FROM annotation_progress p
  WHERE p.project_id = $1 AND p.item_id = $3 AND p.annotator = $4 AND EXISTS (SELECT 1 FROM ${ITEM})`;
