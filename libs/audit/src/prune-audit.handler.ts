import { Env } from '@heddle/config';
import { InjectPool } from '@heddle/database';
import { HandlesJob, type JobHandler } from '@heddle/queues';
import type pg from 'pg';

const HOUR_MS = 3_600_000;
const BATCH = 1000;

const PRUNE = `
  DELETE FROM audit_entries WHERE id IN (
    SELECT id FROM audit_entries WHERE created_at < now() - make_interval(days => $1) ORDER BY created_at LIMIT $2)`;

/** Forgets entries that are older than AUDIT_RETENTION_DAYS, a batch at a time. */
@HandlesJob({ name: 'prune-audit-log', queues: ['cpu'], every: HOUR_MS })
export class PruneAuditHandler implements JobHandler {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly env: Env,
  ) {}

  async handle(): Promise<void> {
    const { AUDIT_RETENTION_DAYS: days } = this.env;
    if (days === 0) return;
    while (((await this.pool.query(PRUNE, [days, BATCH])).rowCount ?? 0) === BATCH);
  }
}
