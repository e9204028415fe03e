import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Receiver } from '../webhooks/receiver.js';
import { AutomationsSystem, type GivenAutomation } from './automations-system.js';
import { WorkerProcess } from './worker-process.js';

/** Few of each in the suite; FAULT_KILLS=50 FAULT_EVENTS=5000 takes some minutes. */
const KILLS = Number(process.env['FAULT_KILLS'] ?? 3);
const EVENTS = Number(process.env['FAULT_EVENTS'] ?? 300);
const LONGEST_LIFE_MS = 1500;

describe('a worker that is killed again and again', () => {
  let t: AutomationsSystem;
  let worker: WorkerProcess | undefined;
  beforeAll(async () => {
    t = await AutomationsSystem.start({ WEBHOOK_SWEEP_SECONDS: '1' }, false);
  });
  afterAll(async () => {
    await worker?.kill('SIGKILL');
    await t.close();
  });

  async function startWorker(): Promise<void> {
    worker = await WorkerProcess.start({
      DATABASE_URL: t.database.url,
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8',
      WEBHOOK_SWEEP_SECONDS: '1',
    });
  }

  async function fireAll(): Promise<void> {
    for (let i = 0; i < EVENTS; i++) {
      await t.publish(await t.aliasEvent(`alias-${i}`));
      await pause((KILLS * LONGEST_LIFE_MS) / EVENTS);
    }
  }

  async function killAll(receiver: Receiver): Promise<void> {
    for (let i = 0; i < KILLS; i++) {
      await startWorker();
      // One in three dies while it delivers, whatever the machine's pace is.
      while (i % 3 === 0 && receiver.requests.length === 0) await pause(5);
      await pause(Math.random() * LONGEST_LIFE_MS);
      await worker!.kill('SIGKILL');
    }
  }

  async function allFinished({ id }: GivenAutomation): Promise<void> {
    const sql = "SELECT count(*)::int FROM automation_executions WHERE automation_id = $1 AND state = 'FINISHED'";
    for (;;) {
      const { rows } = await t.database.pool.query<{ count: number }>(sql, [id]);
      if (rows[0]!.count === EVENTS) return;
      await pause(50);
    }
  }

  it('fires every event once, and delivers each at least once, under one id', async () => {
    const receiver = await t.receiver(
      (response) => void setTimeout(() => response.writeHead(204).end(), Math.random() * 20),
    );
    const automation = await t.automation(receiver, {
      filter: { alias_regex: '^alias-' },
      payload: { alias: '${alias}' },
    });
    await Promise.all([fireAll(), killAll(receiver)]);
    await startWorker();
    await allFinished(automation);
    const { rows } = await t.database.pool.query<{ id: string; alias: string }>(
      `SELECT e.id, ev.event::json->>'alias' AS alias FROM automation_executions e JOIN automation_events ev ON ev.id = e.event_id`,
    );
    const fired = new Map(rows.map(({ id, alias }) => [alias, id]));
    expect([rows.length, fired.size]).toEqual([EVENTS, EVENTS]);
    const delivered = new Set<string>();
    for (const { headers, body } of receiver.requests) {
      const { alias } = JSON.parse(String(body)) as { alias: string };
      expect(headers['webhook-id']).toBe(fired.get(alias));
      delivered.add(alias);
    }
    expect(delivered.size).toBe(EVENTS);
  }, 900_000);
});
