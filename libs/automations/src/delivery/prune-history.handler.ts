import { Env } from '@heddle/config';
import { InjectPool } from '@heddle/database';
import { HandlesJob, type JobHandler } from '@heddle/queues';
import type pg from 'pg';
import { Clock } from './clock.js';

const BATCH = 1000;
const DAY_MS = 24 * 3600 * 1000;

/** With their executions and attempts. What is still being delivered stays. */
const PRUNE_EVENTS = `
  DELETE FROM automation_events WHERE id IN (
    SELECT old.id FROM teams t
     CROSS JOIN LATERAL (SELECT id FROM automation_events e WHERE e.team_id = t.id AND e.created_at < $1
                          ORDER BY e.created_at LIMIT $2) old
     WHERE NOT EXISTS (SELECT FROM automation_executions x WHERE x.event_id = old.id AND x.state = 'PENDING')
     LIMIT $2)`;

const PRUNE_FIRINGS = `
  DELETE FROM automation_run_firings WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM automation_run_firings WHERE fired_at < $1::timestamptz - interval '2 days' LIMIT $2))`;

const PRUNE_LANES = `
  DELETE FROM webhook_lanes WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM webhook_lanes WHERE owned_until < now() - interval '1 hour' AND $1::timestamptz IS NOT NULL LIMIT $2))`;

/** Forgets old history, a batch at a time, so that no transaction is long. */
@HandlesJob({ name: 'prune-automation-history', queues: ['cpu'], every: 3_600_000 })
export class PruneHistoryHandler implements JobHandler {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  async handle(): Promise<void> {
    const now = this.clock.now();
    const { AUTOMATION_RETENTION_DAYS: days } = this.env;
    if (days > 0) await this.prune(PRUNE_EVENTS, new Date(now.getTime() - days * DAY_MS));
    await this.prune(PRUNE_FIRINGS, now);
    await this.prune(PRUNE_LANES, now);
  }

  private async prune(sql: string, at: Date): Promise<void> {
    for (;;) {
      const { rowCount } = await this.pool.query(sql, [at, BATCH]);
      if ((rowCount ?? 0) < BATCH) return;
    }
  }
}
