import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';

/**
 * Longer than an attempt may take: a worker that owns a lane for {@link LONGEST_ATTEMPT_MS} more is the only one that sends
 * until the attempt has ended.
 */
export const LANE_MS = 20_000;
export const LONGEST_ATTEMPT_MS = 16_000;

/** Lanes of one look, the longest due first. */
const MAX_LANES = 200;

/**
 * The recursion steps from webhook to webhook in the index of what is pending, however much of it each has. One statement
 * takes those that nobody else owns.
 */
const ACQUIRE = `
  WITH RECURSIVE pending AS (
    (SELECT webhook_id FROM automation_executions WHERE state = 'PENDING' ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT e.webhook_id FROM automation_executions e
             WHERE e.state = 'PENDING' AND e.webhook_id > p.webhook_id ORDER BY e.webhook_id LIMIT 1)
      FROM pending p WHERE p.webhook_id IS NOT NULL
  ), due AS (
    SELECT p.webhook_id
      FROM pending p
      LEFT JOIN webhooks w ON w.id = p.webhook_id
      LEFT JOIN webhook_lanes l ON l.webhook_id = p.webhook_id
     CROSS JOIN LATERAL (SELECT next_attempt_at AS at FROM automation_executions e
                          WHERE e.webhook_id = p.webhook_id AND e.state = 'PENDING' AND e.next_attempt_at <= $2
                          ORDER BY e.next_attempt_at LIMIT 1) d
     WHERE (w.paused_until IS NULL OR w.paused_until <= $2)
       AND (l.owned_until IS NULL OR l.owned_until <= now() OR l.owner = $1)
       AND p.webhook_id <> ALL ($4::uuid[])
     ORDER BY d.at LIMIT ${MAX_LANES}
  )
  INSERT INTO webhook_lanes AS l (webhook_id, owner, owned_until)
  SELECT webhook_id, $1, now() + make_interval(secs => $3) FROM due ORDER BY webhook_id
  ON CONFLICT (webhook_id) DO UPDATE SET owner = excluded.owner, owned_until = excluded.owned_until
   WHERE l.owner = $1 OR l.owned_until <= now()
  RETURNING webhook_id`;

const RENEW = `
  UPDATE webhook_lanes SET owned_until = now() + make_interval(secs => $3)
   WHERE owner = $1 AND webhook_id = ANY ($2) AND owned_until > now()
  RETURNING webhook_id`;

const RELEASE = 'DELETE FROM webhook_lanes WHERE owner = $1 AND webhook_id = ANY ($2)';

/** Which worker delivers to which webhook. Leases run by the database's clock, which all workers share. */
@Injectable()
export class LanesRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /**
   * Takes webhooks that have something due and that no other worker owns.
   * @param owned those that this worker owns already
   */
  async acquire(owner: string, now: Date, owned: readonly string[]): Promise<string[]> {
    const { rows } = await this.pool.query<{ webhook_id: string }>(ACQUIRE, [owner, now, LANE_MS / 1000, owned]);
    return rows.map(({ webhook_id }) => webhook_id);
  }

  /** @returns those that are still this worker's */
  async renew(owner: string, webhookIds: readonly string[]): Promise<string[]> {
    const { rows } = await this.pool.query<{ webhook_id: string }>(RENEW, [owner, webhookIds, LANE_MS / 1000]);
    return rows.map(({ webhook_id }) => webhook_id);
  }

  async release(owner: string, webhookIds: readonly string[]): Promise<void> {
    await this.pool.query(RELEASE, [owner, webhookIds]);
  }
}
