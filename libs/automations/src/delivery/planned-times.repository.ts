import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import { WebhooksRepository } from '@heddle/webhooks';
import { LANE_MS } from './lanes.repository.js';
import type pg from 'pg';

/** By so much the clocks of two machines may differ. */
const SLACK_SECONDS = 10;

/** What was planned in what is the future now has as long to wait as it had then. */
const REPLAN_EXECUTIONS = `
  UPDATE automation_executions SET planned_at = $1, next_attempt_at = next_attempt_at - (planned_at - $1::timestamptz)
   WHERE state = 'PENDING' AND next_attempt_at > $1 AND planned_at > $1::timestamptz + make_interval(secs => $2)`;

/** By the database's clock. No lease is longer, and whoever renews it is not disturbed. */
const SHORTEN_LEASES = `
  UPDATE webhook_lanes SET owned_until = now() + make_interval(secs => $1)
   WHERE owned_until > now() + make_interval(secs => $2)`;

/** Times to come that were planned by a clock which has been set back since, of this process, of another's or of the database. */
@Injectable()
export class PlannedTimesRepository {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly webhooks: WebhooksRepository,
  ) {}

  /** @returns how many deliveries, pauses and leases were ahead */
  async replan(now: Date): Promise<number> {
    const results = [
      await this.pool.query(REPLAN_EXECUTIONS, [now, SLACK_SECONDS]),
      await this.pool.query(SHORTEN_LEASES, [LANE_MS / 1000, LANE_MS / 1000 + SLACK_SECONDS]),
    ];
    const pauses = await this.webhooks.replanPauses(now, SLACK_SECONDS);
    return results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), pauses);
  }
}
