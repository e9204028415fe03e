import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import { decodeText, encodeText } from '@heddle/json';
import type pg from 'pg';
import { isoTime } from '../query/time-literal.js';
import { inTransaction } from '../store/in-transaction.js';
import { makeId } from '../store/call-ids.js';
import type { CreateQueue, QueryQueues, UpdateQueue } from './annotation-queues.schema.js';

/** A queue as it leaves, but for the name of its project. */
export interface QueueRow {
  id: string;
  name: string;
  description: string;
  scorer_refs: string[];
  created_at: string;
  created_by: string;
  updated_at: string;
  deleted_at: string | null;
}

/** Text is encoded: what clients send may have characters that PostgreSQL's texts may not. */
@Injectable()
export class AnnotationQueuesRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Makes a queue, unless the project has as many as it may have. Returns its id. */
  async add(projectId: number, queue: CreateQueue, createdBy: string, most: number): Promise<string | null> {
    return inTransaction(this.pool, async (client) => {
      // One after the other, so that nobody counts what another one is about to add.
      await client.query("SELECT pg_advisory_xact_lock(hashtext('annotation_queues'), $1)", [projectId]);
      const { name, description = '', scorer_refs: refs } = queue;
      const values = [projectId, makeId(), encodeText(name), encodeText(description), refs.map(encodeText), createdBy];
      const { rows } = await client.query<{ id: string }>(ADD, [...values, most]);
      return rows[0]?.id ?? null;
    });
  }

  async find(projectId: number, id: string): Promise<QueueRow | null> {
    return this.one(`${SELECT} WHERE ${LIVE} AND q.id = $2`, [projectId, encodeText(id)]);
  }

  async query(projectId: number, { name, sort_by, limit, offset }: QueryQueues): Promise<QueueRow[]> {
    const sorts = (sort_by ?? []).map(({ field, direction }) => `q.${field} ${direction}`);
    const order = [...(sorts.length > 0 ? sorts : ['q.created_at DESC']), 'q.id'].join(', ');
    const { rows } = await this.pool.query<QueueRow>(
      `${SELECT} WHERE ${LIVE} AND strpos(lower(q.name), lower($2)) > 0 ORDER BY ${order} LIMIT $3 OFFSET $4`,
      [projectId, encodeText(name ?? ''), limit ?? null, offset ?? 0],
    );
    return rows.map(decoded);
  }

  /** What isn't given stays. */
  async update(projectId: number, id: string, { name, description, scorer_refs: refs }: UpdateQueue) {
    const text = (value: string | undefined): string | null => (value === undefined ? null : encodeText(value));
    const values = [projectId, encodeText(id), text(name), text(description), refs?.map(encodeText) ?? null];
    return this.one(UPDATE, values);
  }

  /** Its items stay, and nobody sees them. */
  async delete(projectId: number, id: string): Promise<QueueRow | null> {
    return this.one(DELETE, [projectId, encodeText(id)]);
  }

  private async one(sql: string, values: unknown[]): Promise<QueueRow | null> {
    const { rows } = await this.pool.query<QueueRow>(sql, values);
    return rows[0] ? decoded(rows[0]) : null;
  }
}

const decoded = (row: QueueRow): QueueRow => ({
  ...row,
  name: decodeText(row.name),
  description: decodeText(row.description),
  scorer_refs: row.scorer_refs.map(decodeText),
});

const COLUMNS = `q.id, q.name, q.description, q.scorer_refs, ${isoTime('q.created_at')} AS created_at, q.created_by,
  ${isoTime('q.updated_at')} AS updated_at, ${isoTime('q.deleted_at')} AS deleted_at`;
const SELECT = `SELECT ${COLUMNS} FROM annotation_queues q`;
const LIVE = 'q.project_id = $1 AND q.deleted_at IS NULL';

const ADD = `
  INSERT INTO annotation_queues (project_id, id, name, description, scorer_refs, created_by)
  SELECT $1::integer, $2, $3, $4, $5, $6
  WHERE (SELECT count(*) FROM annotation_queues q WHERE q.project_id = $1 AND q.deleted_at IS NULL) < $7
  RETURNING id`;

const UPDATE = `
  UPDATE annotation_queues q SET name = COALESCE($3, name), description = COALESCE($4, description),
    scorer_refs = COALESCE($5, scorer_refs),
    updated_at = CASE WHEN COALESCE($3, $4) IS NULL AND $5::text[] IS NULL THEN updated_at ELSE now() END
  WHERE ${LIVE} AND q.id = $2
  RETURNING ${COLUMNS}`;

const DELETE = `
  UPDATE annotation_queues q SET deleted_at = now(), updated_at = now() WHERE ${LIVE} AND q.id = $2
  RETURNING ${COLUMNS}`;
