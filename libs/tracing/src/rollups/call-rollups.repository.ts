import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';
import { QuerySql } from '../query/query-sql.js';
import { VISIBLE_CALL } from '../store/call-record.js';
import { inTransaction } from '../store/in-transaction.js';
import { NET_COLUMNS, netUsage } from './net-usage-sql.js';

/** Beside the number of a project: of two that refresh its sums, one waits. */
const LOCK = 47_134;
/** Minutes of one transaction. */
export const BATCH_MINUTES = 60;

/** Changes of the first minutes, and the minutes of all calls above theirs, whose own usage depends on them. */
const TAKE = `
  WITH RECURSIVE first AS (
    SELECT minute FROM call_changes WHERE project_id = $1
    GROUP BY minute HAVING max(created_at) <= now() - $2 * interval '1 second' ORDER BY minute LIMIT ${BATCH_MINUTES}
  ), taken AS (
    DELETE FROM call_changes WHERE project_id = $1 AND minute IN (SELECT minute FROM first)
    RETURNING minute, former_parent_id
  ), above (id) AS (
    SELECT c.parent_id FROM first
    CROSS JOIN LATERAL (
      SELECT parent_id FROM calls
      WHERE project_id = $1 AND started_at >= first.minute AND started_at < first.minute + interval '1 minute' OFFSET 0
    ) c WHERE c.parent_id IS NOT NULL
    UNION SELECT former_parent_id FROM taken WHERE former_parent_id IS NOT NULL
    UNION
    SELECT c.parent_id FROM above
    CROSS JOIN LATERAL (SELECT parent_id FROM calls WHERE project_id = $1 AND id = above.id OFFSET 0) c
    WHERE c.parent_id IS NOT NULL
  )
  SELECT minute::text FROM taken
  UNION
  SELECT call_minute(c.started_at)::text FROM above
  CROSS JOIN LATERAL (SELECT started_at FROM calls WHERE project_id = $1 AND id = above.id OFFSET 0) c
  WHERE c.started_at IS NOT NULL`;

const CLEAR = ['call_minutes', 'call_usage_minutes'].map(
  (table) => `DELETE FROM ${table} WHERE project_id = $1 AND minute = ANY($2::timestamptz[])`,
);

const SUM_CALLS = `
  INSERT INTO call_minutes (project_id, minute, calls, ended, errors, latency_ms)
  SELECT $1, m.minute, count(*), count(c.ended_at), count(*) FILTER (WHERE c.exception <> ''),
    COALESCE(sum(trunc(extract(epoch FROM c.ended_at - c.started_at) * 1000)), 0)
  FROM unnest($2::timestamptz[]) AS m (minute)
  CROSS JOIN LATERAL (
    SELECT started_at, ended_at, exception FROM calls c
    WHERE c.project_id = $1 AND c.started_at >= m.minute AND c.started_at < m.minute + interval '1 minute'
      AND ${VISIBLE_CALL} OFFSET 0
  ) c
  GROUP BY m.minute`;

const PENDING = `
  SELECT count(*)::int AS calls FROM (
    SELECT FROM (SELECT DISTINCT minute FROM call_changes WHERE project_id = $1) m
    CROSS JOIN LATERAL (
      SELECT FROM calls
      WHERE project_id = $1 AND started_at >= m.minute AND started_at < m.minute + interval '1 minute' OFFSET 0
    ) c LIMIT $2
  ) AS few`;

const SETTLED = `
  SELECT DISTINCT project_id FROM (
    SELECT project_id FROM call_changes GROUP BY project_id, minute HAVING max(created_at) <= now() - $1 * interval '1 second'
  ) AS settled LIMIT 100`;

/** Sums of calls by minute, and what has changed since they were made. */
@Injectable()
export class CallRollupsRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Whether anything changed since the sums were made. */
  async isPending(projectId: number): Promise<boolean> {
    const { rowCount } = await this.pool.query('SELECT FROM call_changes WHERE project_id = $1 LIMIT 1', [projectId]);
    return rowCount !== 0;
  }

  async countOf(projectId: number): Promise<number> {
    const count = 'SELECT COALESCE(sum(calls), 0)::float8 AS calls FROM call_minutes WHERE project_id = $1';
    return (await this.pool.query<{ calls: number }>(count, [projectId])).rows[0]!.calls;
  }

  /**
   * How many calls the changed minutes have; of no more than the limit are counted.
   * @param timeoutMs of a statement, after which it fails as canceled
   */
  pendingCalls(projectId: number, limit: number, timeoutMs: number): Promise<number> {
    return inTransaction(this.pool, async (client) => {
      await client.query(`SET LOCAL statement_timeout = ${timeoutMs}`);
      return (await client.query<{ calls: number }>(PENDING, [projectId, limit])).rows[0]!.calls;
    });
  }

  /** Projects with minutes that have not changed for so long. */
  async settledProjects(seconds: number): Promise<number[]> {
    const { rows } = await this.pool.query<{ project_id: number }>(SETTLED, [seconds]);
    return rows.map((row) => row.project_id);
  }

  /**
   * Makes the sums of up to {@link BATCH_MINUTES} changed minutes anew. Changes that are committed meanwhile stay noted.
   * @param settledSeconds for how long a minute must not have changed
   * @param timeoutMs of a statement, after which it fails as canceled; default: what holds for all
   * @returns how many minutes those were, with those of calls above
   */
  refresh(projectId: number, settledSeconds = 0, timeoutMs?: number): Promise<number> {
    return inTransaction(this.pool, async (client) => {
      if (timeoutMs !== undefined) await client.query(`SET LOCAL statement_timeout = ${timeoutMs}`);
      await client.query('SET LOCAL jit = off');
      await client.query('SELECT pg_advisory_xact_lock($1, $2)', [LOCK, projectId]);
      const { rows } = await client.query<{ minute: string }>(TAKE, [projectId, settledSeconds]);
      const minutes = rows.map(({ minute }) => minute);
      if (minutes.length === 0) return 0;
      for (const clear of CLEAR) await client.query(clear, [projectId, minutes]);
      await client.query(SUM_CALLS, [projectId, minutes]);
      const { text, values } = sumUsage(projectId, minutes);
      await client.query(text, values);
      return minutes.length;
    });
  }
}

function sumUsage(projectId: number, minutes: string[]): { text: string; values: unknown[] } {
  const sql = new QuerySql();
  const project = sql.bind(projectId, 'integer');
  const spans = `(SELECT m AS since, m + interval '1 minute' AS until
    FROM unnest(${sql.bind(minutes, 'timestamptz[]')}) AS m) AS span`;
  const text = `
    WITH RECURSIVE ${netUsage(project, spans, sql)}
    INSERT INTO call_usage_minutes (project_id, minute, place, model, calls, ${NET_COLUMNS.join(', ')})
    SELECT ${project}, minute, row_number() OVER (PARTITION BY minute), model, calls, ${NET_COLUMNS.join(', ')} FROM (
      SELECT call_minute(n.started_at) AS minute, n.model, count(*) AS calls,
        ${NET_COLUMNS.map((name) => `sum(n.${name}) AS ${name}`).join(', ')}
      FROM net n GROUP BY 1, 2
    ) AS sums`;
  return { text, values: sql.values };
}
