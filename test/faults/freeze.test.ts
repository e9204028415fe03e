import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Env } from '@heddle/config';
import { prepareQueues } from '@heddle/queues';
import { AutomationsSystem } from '../medium/automations/automations-system.js';
import { ALIAS_OF_EVENT, expectFiredOnceAndDelivered, finished } from '../medium/automations/delivery-claims.js';
import { ServiceProcess } from '../support/service-process.js';
import { RestartableDatabase } from '../support/restartable-database.js';

const ROUNDS = process.env['CI_FULL'] === '1' ? 6 : 1;
/** Longer than a worker's lease: another one takes its work over. */
const WORKER_FROZEN_MS = 22_000;
/** The second is longer than clients wait for a database that says nothing. */
const DATABASE_FROZEN_MS = process.env['CI_FULL'] === '1' ? [3000, 15_000] : [3000, 3000];

describe('processes that stand still for a while', () => {
  let database: RestartableDatabase;
  let t: AutomationsSystem;
  let workers: ServiceProcess[];
  let frozen = true;

  beforeAll(async () => {
    database = await RestartableDatabase.start();
    await prepareQueues(Env.from({ NODE_ENV: 'test', DATABASE_URL: database.url }));
    await database.pool.query('CREATE TABLE changes (alias text)');
    t = await AutomationsSystem.start({ WEBHOOK_SWEEP_SECONDS: '1' }, false, database);
    const settings = { DATABASE_URL: database.url, WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8', WEBHOOK_SWEEP_SECONDS: '1' };
    workers = [await ServiceProcess.start('worker', settings), await ServiceProcess.start('worker', settings)];
  }, 120_000);
  afterAll(async () => {
    await Promise.all((workers ?? []).map((worker) => worker.kill('SIGKILL')));
    await t?.close();
  });

  /** Changes flow until everything has thawed. One that fails is tried again under another name: it may have been committed. */
  async function client(number: number): Promise<string[]> {
    const event = await t.aliasEvent();
    const confirmed: string[] = [];
    for (let i = 0; frozen; i++) {
      const alias = `alias-${number}-${i}`;
      const write = t.publish({ ...event, alias } as typeof event, async (manager) => {
        await manager.query('INSERT INTO changes (alias) VALUES ($1)', [alias]);
      });
      await write.then(
        () => confirmed.push(alias),
        () => pause(50),
      );
      await pause(50);
    }
    return confirmed;
  }

  const send = (signal: NodeJS.Signals, pids: number[]): void => pids.forEach((pid) => process.kill(pid, signal));

  async function freezeDatabase(ms: number): Promise<void> {
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(database.pid)], { encoding: 'utf8' });
    const pids = [database.pid, ...children.trim().split(/\s+/).map(Number)];
    send('SIGSTOP', pids);
    await pause(ms);
    send('SIGCONT', pids);
  }

  async function freezeWorker(worker: ServiceProcess): Promise<void> {
    send('SIGSTOP', [worker.pid]);
    await pause(WORKER_FROZEN_MS);
    send('SIGCONT', [worker.pid]);
  }

  it('lose no change, fire each once, and deliver each at least once, under one id', async () => {
    const receiver = await t.receiver(
      (response) => void setTimeout(() => response.writeHead(204).end(), Math.random() * 20),
    );
    const automation = await t.automation(receiver, ALIAS_OF_EVENT);
    const freezeAll = async (): Promise<void> => {
      for (let round = 0; round < ROUNDS; round++) {
        // Whichever of them works: the other one goes on.
        const thawed = freezeWorker(workers[round % 2]!);
        for (const ms of DATABASE_FROZEN_MS) {
          await pause(2000);
          await freezeDatabase(ms);
        }
        await thawed;
      }
      frozen = false;
    };
    const [first, second] = await Promise.all([client(0), client(1), freezeAll()]);
    const { rows } = await database.pool.query<{ alias: string }>('SELECT alias FROM changes');
    const committed = rows.map(({ alias }) => alias);
    expect(committed).toEqual(expect.arrayContaining([...first, ...second]));
    expect(committed.length).toBeGreaterThan(20);
    await finished(t, automation, committed.length);
    await expectFiredOnceAndDelivered(t, receiver, committed);
    expect(workers.map(({ isAlive }) => isAlive)).toEqual([true, true]);
  }, 600_000);
});
