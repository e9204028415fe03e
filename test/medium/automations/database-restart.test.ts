import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Env } from '@heddle/config';
import type { DomainEvent } from '@heddle/events';
import { prepareQueues } from '@heddle/queues';
import { RestartableDatabase } from '../../support/restartable-database.js';
import { AutomationsSystem } from './automations-system.js';
import { ALIAS_OF_EVENT, expectFiredOnceAndDelivered, finished } from './delivery-claims.js';
import { ServiceProcess } from '../../support/service-process.js';

/** Few of each in the suite; FAULT_CRASHES=20 FAULT_EVENTS=3000 takes a minute or two. */
const CRASHES = Number(process.env['FAULT_CRASHES'] ?? 3);
const EVENTS = Number(process.env['FAULT_EVENTS'] ?? 300);
const CLIENTS = 4;
/** A worker that claims again at once where it failed writes thousands. */
const LINES_PER_CRASH = 300;

describe('a database that crashes and comes back', () => {
  let database: RestartableDatabase;
  let t: AutomationsSystem;
  let worker: ServiceProcess;
  let published = 0;

  beforeAll(async () => {
    database = await RestartableDatabase.start();
    await prepareQueues(Env.from({ NODE_ENV: 'test', DATABASE_URL: database.url }));
    await database.pool.query('CREATE TABLE changes (alias text)');
    t = await AutomationsSystem.start({ WEBHOOK_SWEEP_SECONDS: '1' }, false, database);
    worker = await ServiceProcess.start('worker', {
      DATABASE_URL: database.url,
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8',
      WEBHOOK_SWEEP_SECONDS: '1',
      LOG_LEVEL: 'warn',
    });
  }, 120_000);
  afterAll(async () => {
    await worker.kill('SIGKILL');
    await t.close();
  });

  /** A client whose change fails tries it again under another name: the first may have been committed unheard. */
  async function change(event: DomainEvent, name: string): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      const alias = `${name}-${attempt}`;
      try {
        await t.publish({ ...event, alias } as DomainEvent, async (manager) => {
          await manager.query('INSERT INTO changes (alias) VALUES ($1)', [alias]);
        });
        return alias;
      } catch {
        await pause(50);
      }
    }
  }

  /** @returns aliases of the changes that were confirmed */
  async function client(number: number): Promise<string[]> {
    const event = await t.aliasEvent();
    const confirmed: string[] = [];
    for (let i = number; i < EVENTS; i += CLIENTS) {
      confirmed.push(await change(event, `alias-${i}`));
      published++;
      await pause(20);
    }
    return confirmed;
  }

  async function crashAndRecover(): Promise<void> {
    for (let i = 1; i <= CRASHES; i++) {
      while (published < (i * EVENTS) / (CRASHES + 1)) await pause(5);
      await database.crash(i % 2 === 1 ? 'SIGQUIT' : 'SIGKILL');
      await pause(500);
      await database.recover();
    }
  }

  it('loses no change, fires each once, and delivers each at least once, under one id', async () => {
    const receiver = await t.receiver(
      (response) => void setTimeout(() => response.writeHead(204).end(), Math.random() * 20),
    );
    const automation = await t.automation(receiver, ALIAS_OF_EVENT);
    const clients = Array.from({ length: CLIENTS }, (_, i) => client(i));
    const [confirmed] = await Promise.all([Promise.all(clients), crashAndRecover()]);
    const { rows } = await database.pool.query<{ alias: string }>('SELECT alias FROM changes');
    const committed = rows.map(({ alias }) => alias);
    expect(committed).toEqual(expect.arrayContaining(confirmed.flat()));
    await finished(t, automation, committed.length);
    await expectFiredOnceAndDelivered(t, receiver, committed);
    expect(worker.isAlive).toBe(true);
    expect(worker.logged).toBeLessThan(CRASHES * LINES_PER_CRASH);
  }, 600_000);
});
