import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';
import { inTransaction } from '../store/in-transaction.js';

/** Calls that one statement deletes: its locks and its memory stay small, and a kill loses little work. */
export const BATCH_CALLS = 1000;
/** Days that deleted calls stay in the database, hidden; those of projects that keep calls for ever, too. */
export const DELETED_DAYS = 30;

/** A project whose calls don't stay for ever. */
export interface LimitedProject {
  id: number;
  days: number;
}

export interface Pruned {
  calls: number;
  feedback: number;
}

/**
 * Deletes the calls that the query finds, and what was said about them. Rows that somebody else has locked are left for
 * the next run: a prune never waits for ingest or for another prune, so there is no deadlock between them.
 * @param find selects `project_id` and `id` of calls `c`, oldest first
 */
const prune = (find: string): string => `
  WITH old AS MATERIALIZED (${find} LIMIT ${BATCH_CALLS} FOR UPDATE SKIP LOCKED),
  calls_gone AS (
    DELETE FROM calls c USING old WHERE c.project_id = old.project_id AND c.id = old.id RETURNING 1
  ),
  feedback_gone AS (
    DELETE FROM feedback f USING (
      SELECT old.project_id, concat('weave:///', t.name, '/', p.name, '/call/', old.id) COLLATE "C" AS ref
      FROM old JOIN projects p ON p.id = old.project_id JOIN teams t ON t.id = p.team_id
    ) about
    WHERE f.project_id = about.project_id AND f.weave_ref = about.ref RETURNING 1
  )
  SELECT (SELECT count(*) FROM calls_gone)::int AS calls, (SELECT count(*) FROM feedback_gone)::int AS feedback`;

const PRUNE_STARTED = prune(`
  SELECT c.project_id, c.id FROM calls c
  WHERE c.project_id = $1 AND c.started_at < now() - $2 * interval '1 day' ORDER BY c.started_at, c.id`);

/** Ends whose start never came, and names of calls that never were: all that is known is when they came. */
const PRUNE_UNSTARTED = prune(`
  SELECT c.project_id, c.id FROM calls c
  WHERE c.project_id = $1 AND c.started_at IS NULL AND c.created_at < now() - $2 * interval '1 day' ORDER BY c.id`);

const PRUNE_DELETED = prune(`
  SELECT c.project_id, c.id FROM calls c
  WHERE c.deleted_at < now() - $1 * interval '1 day' ORDER BY c.deleted_at`);

/** Each call of a `prune` method deletes one batch; nothing is left when it deletes none. */
@Injectable()
export class CallRetentionRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /**
   * In any order, so that it isn't always the same ones whose turn doesn't come before a run ends.
   * @param defaultDays for projects that set no limit of their own; 0: those keep their calls for ever
   */
  async limitedProjects(defaultDays: number): Promise<LimitedProject[]> {
    const { rows } = await this.pool.query<LimitedProject>(
      `SELECT id, coalesce(retention_days, $1) AS days FROM projects WHERE coalesce(retention_days, $1) > 0 ORDER BY random()`,
      [defaultDays],
    );
    return rows;
  }

  async pruneOld({ id, days }: LimitedProject): Promise<Pruned> {
    const started = await this.prune(PRUNE_STARTED, [id, days]);
    return started.calls > 0 ? started : this.prune(PRUNE_UNSTARTED, [id, days]);
  }

  pruneDeleted(): Promise<Pruned> {
    return this.prune(PRUNE_DELETED, [DELETED_DAYS]);
  }

  private prune(sql: string, values: number[]): Promise<Pruned> {
    return inTransaction(this.pool, async (client) => (await client.query<Pruned>(sql, values)).rows[0]!);
  }
}
