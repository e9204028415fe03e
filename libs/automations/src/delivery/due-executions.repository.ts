import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';
import type { DueExecution } from './due-execution.js';

const TAKE = `
  SELECT e.id, e.cause_token, e.webhook_id, e.attempts, e.round_attempts, e.next_attempt_at, e.variables, ev.event, a.event_type,
         a.name AS automation_name, a.request_payload
    FROM unnest($1::uuid[], $2::int[]) AS lane (webhook_id, room)
   CROSS JOIN LATERAL (SELECT * FROM automation_executions d
                        WHERE d.webhook_id = lane.webhook_id AND d.state = 'PENDING' AND d.next_attempt_at <= $3
                          AND d.id <> ALL ($4::uuid[])
                        ORDER BY d.next_attempt_at LIMIT lane.room) e
    JOIN automations a ON a.id = e.automation_id
    JOIN automation_events ev ON ev.id = e.event_id
   ORDER BY e.next_attempt_at`;

const SKIP = `
  UPDATE automation_executions SET state = 'SKIPPED', reason = $2, next_attempt_at = NULL, finished_at = $3
   WHERE id IN (SELECT id FROM automation_executions WHERE webhook_id = $1 AND state = 'PENDING' AND id <> ALL ($5::uuid[])
                 ORDER BY next_attempt_at LIMIT $4)`;

/** What a worker has to do in the lanes that it owns. Nothing is written for taking: nobody else looks there. */
@Injectable()
export class DueExecutionsRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /**
   * @param room how many, by webhook
   * @param held what was taken before
   */
  async take(room: ReadonlyMap<string, number>, held: readonly string[], now: Date): Promise<DueExecution[]> {
    if (room.size === 0) return [];
    const values = [[...room.keys()], [...room.values()], now, held];
    return (await this.pool.query<DueExecution>(TAKE, values)).rows;
  }

  /**
   * Ends what is pending for a webhook that takes nothing.
   * @param held what is in flight
   */
  async skip(webhookId: string, reason: string, now: Date, held: readonly string[]): Promise<void> {
    const batch = 1000;
    for (;;) {
      const { rowCount } = await this.pool.query(SKIP, [webhookId, reason, now, batch, held]);
      if ((rowCount ?? 0) < batch) return;
    }
  }
}
