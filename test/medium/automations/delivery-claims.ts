import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Receiver } from '../../support/receiver.js';
import type { AutomationsSystem, GivenAutomation } from './automations-system.js';

type Delivering = Pick<AutomationsSystem, 'database'>;

/** What the automation of these tests sends, so that a delivery tells which event it is of. */
export const ALIAS_OF_EVENT = { filter: { alias_regex: '^alias-' }, payload: { alias: '${alias}' } };

/** Resolves once as many of its executions have been delivered and written down. */
export async function finished(t: Delivering, { id }: Pick<GivenAutomation, 'id'>, count: number): Promise<void> {
  const sql = "SELECT count(*)::int FROM automation_executions WHERE automation_id = $1 AND state = 'FINISHED'";
  for (;;) {
    const { rows } = await t.database.pool.query<{ count: number }>(sql, [id]);
    if (rows[0]!.count >= count) return;
    await pause(50);
  }
}

/**
 * Each event with one of these aliases, or of a run with one of these names, fired once, and was delivered at least once,
 * always under one webhook-id.
 */
export async function expectFiredOnceAndDelivered(
  t: Delivering,
  receiver: Receiver,
  aliases: readonly string[],
): Promise<void> {
  const { rows } = await t.database.pool.query<{ id: string; alias: string; state: string }>(
    `SELECT e.id, e.state, coalesce(ev.event::json->>'alias', ev.event::json#>>'{run,name}') AS alias
       FROM automation_executions e JOIN automation_events ev ON ev.id = e.event_id`,
  );
  expect(rows.map(({ alias }) => alias).sort()).toEqual([...aliases].sort());
  expect(rows.filter(({ state }) => state !== 'FINISHED')).toEqual([]);
  const fired = new Map(rows.map(({ id, alias }) => [alias, id]));
  const delivered = new Set<string>();
  for (const { headers, body } of receiver.requests) {
    const { alias } = JSON.parse(String(body)) as { alias: string };
    expect(headers['webhook-id']).toBe(fired.get(alias));
    delivered.add(alias);
  }
  expect(delivered.size).toBe(aliases.length);
}
