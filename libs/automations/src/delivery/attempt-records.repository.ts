import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import { deliveries, endedExecutions } from '@heddle/metrics';
import type pg from 'pg';
import type { AttemptRecord } from './attempt-record.js';
import type { Decision } from './delivery-policy.js';

/**
 * The number of the attempt is the fence: what another worker has written down meanwhile stays, and so does what was
 * redelivered or skipped.
 */
const RECORD = `
  WITH made AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[],
                         $8::timestamptz[], $9::int[], $10::int[], $11::text[], $12::text[], $13::text[], $14::text[])
      AS m (id, execution_id, number, state, reason, next_attempt_at, finished_at, started_at, duration_ms, status,
            error_code, error, response_headers, response_body)
  ), moved AS (
    UPDATE automation_executions e
       SET state = m.state, reason = m.reason, next_attempt_at = m.next_attempt_at, finished_at = m.finished_at,
           planned_at = $15, attempts = m.number, round_attempts = e.round_attempts + 1
      FROM made m
     WHERE e.id = m.execution_id AND e.state = 'PENDING' AND e.attempts = m.number - 1
    RETURNING e.id
  )
  INSERT INTO automation_attempts (id, execution_id, number, started_at, duration_ms, status, error_code, error,
                                   response_headers, response_body)
  SELECT m.id, m.execution_id, m.number, m.started_at, m.duration_ms, m.status, m.error_code, m.error,
         m.response_headers, m.response_body
    FROM made m JOIN moved ON moved.id = m.execution_id
  RETURNING execution_id`;

/** Writes attempts down, many in one statement. */
@Injectable()
export class AttemptRecordsRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async write(records: readonly AttemptRecord[], now: Date): Promise<void> {
    const column = <T>(value: (record: AttemptRecord) => T): T[] => records.map(value);
    await this.pool.query(RECORD, [
      column(() => randomUUID()),
      column(({ execution }) => execution.id),
      column(({ execution }) => execution.attempts + 1),
      column(({ decision }) => decision.state),
      column(({ decision }) => ('reason' in decision ? decision.reason : null)),
      column(({ decision }) => nextAttemptAt(decision, now)),
      column(({ decision }) => (decision.state === 'PENDING' ? null : now)),
      column(({ startedAt }) => startedAt),
      column(({ attempt }) => attempt.durationMs),
      column(({ attempt }) => attempt.status),
      column(({ attempt }) => attempt.errorCode),
      column(({ attempt }) => attempt.error),
      column(({ attempt }) => (attempt.status === null ? null : JSON.stringify(attempt.headers))),
      column(({ attempt }) => attempt.body),
      now,
    ]);
    for (const { attempt, decision } of records) {
      deliveries.inc({ outcome: attempt.outcome });
      if (decision.state !== 'PENDING') endedExecutions.inc({ state: decision.state.toLowerCase() });
    }
  }
}

/** Null where there is none. */
export const nextAttemptAt = (decision: Decision, now: Date): Date | null =>
  decision.state === 'PENDING' ? new Date(now.getTime() + decision.retryInSeconds * 1000) : null;
