import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '@heddle/events';
import { firings as firingsTotal } from '@heddle/metrics';
import { writeExact } from '@heddle/json';
import type { EntityManager } from 'typeorm';
import type { WatchingAutomation } from './watching-automation.js';

/** An automation that an event fires. */
export interface Firing {
  automation: WatchingAutomation;
  /** What its condition found, for the payload. */
  variables?: Record<string, unknown>;
  /** Why nothing is sent. */
  skipped?: 'rate_limited' | 'too_deep';
}

const INSERT_EVENT = `
  INSERT INTO automation_events (id, team_id, project_id, registry_id, type, event, depth, chain)
  VALUES ($1, $2, $3, $4, $5, $6, cardinality($7::uuid[]), $7)`;

/** An automation that somebody deletes at this moment must not undo the change that it watched: it is waited for. */
const INSERT_EXECUTIONS = `
  WITH held AS MATERIALIZED (SELECT id FROM automations WHERE id = ANY($3::uuid[]) ORDER BY id FOR KEY SHARE)
  INSERT INTO automation_executions
    (id, event_id, automation_id, team_id, webhook_id, variables, state, reason, next_attempt_at, finished_at, planned_at)
  SELECT f.id, $1, f.automation_id, f.team_id, f.webhook_id, f.variables,
         CASE WHEN f.reason IS NULL THEN 'PENDING' ELSE 'SKIPPED' END, f.reason,
         CASE WHEN f.reason IS NULL THEN $8::timestamptz END, CASE WHEN f.reason IS NOT NULL THEN $8::timestamptz END,
         $8::timestamptz
    FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[])
           AS f (id, automation_id, team_id, webhook_id, variables, reason)
    JOIN held ON held.id = f.automation_id
  ON CONFLICT (event_id, automation_id) DO NOTHING`;

/** One statement decides: of two requests at once that reach a threshold, one gets the row. */
const CLAIM_RUN = `
  WITH held AS MATERIALIZED (SELECT id FROM automations WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE)
  INSERT INTO automation_run_firings AS f (automation_id, run_id, fired_at)
  SELECT id, $2, $3 FROM held
  ON CONFLICT (automation_id, run_id) DO UPDATE SET fired_at = excluded.fired_at
   WHERE f.fired_at <= excluded.fired_at - interval '24 hours'
  RETURNING automation_id`;

const RUN_CLAIMED = `
  SELECT automation_id FROM automation_run_firings
   WHERE run_id = $1 AND automation_id = ANY($2) AND fired_at > $3::timestamptz - interval '24 hours'`;

/** Events and executions, inside the transaction of the change. */
@Injectable()
export class FiringRepository {
  async insertEvent(manager: EntityManager, event: DomainEvent, chain: readonly string[]): Promise<string> {
    const id = randomUUID();
    const { teamId, project, registry } = event.place;
    const text = writeExact(event);
    await manager.query(INSERT_EVENT, [id, teamId, project?.id ?? null, registry?.id ?? null, event.type, text, chain]);
    return id;
  }

  /** @returns how many wait for their delivery */
  async insertExecutions(
    manager: EntityManager,
    eventId: string,
    firings: readonly Firing[],
    now: Date,
  ): Promise<void> {
    if (firings.length === 0) return;
    await manager.query(INSERT_EXECUTIONS, [
      eventId,
      firings.map(() => randomUUID()),
      firings.map(({ automation }) => automation.id),
      firings.map(({ automation }) => automation.teamId),
      firings.map(({ automation }) => automation.webhookId),
      firings.map(({ variables }) => variables && JSON.stringify(variables)),
      firings.map(({ skipped }) => skipped),
      now,
    ]);
    for (const { skipped } of firings) firingsTotal.inc({ result: skipped ? 'skipped' : 'fired' });
  }

  /** Those of the automations that have not fired for the run in the last 24 hours; they have now. */
  async claimRun(manager: EntityManager, automationIds: string[], runId: string, now: Date): Promise<Set<string>> {
    if (automationIds.length === 0) return new Set();
    const rows = await manager.query<{ automation_id: string }[]>(CLAIM_RUN, [automationIds, runId, now]);
    return new Set(rows.map(({ automation_id }) => automation_id));
  }

  /** Those of the automations that have fired for the run in the last 24 hours. */
  async firedForRun(manager: EntityManager, automationIds: string[], runId: string, now: Date): Promise<Set<string>> {
    const rows = await manager.query<{ automation_id: string }[]>(RUN_CLAIMED, [runId, automationIds, now]);
    return new Set(rows.map(({ automation_id }) => automation_id));
  }
}
