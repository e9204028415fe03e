import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import type { Receiver } from '../../support/receiver.js';
import { AutomationsSystem } from './automations-system.js';
import { ALIAS_OF_EVENT, expectFiredOnceAndDelivered, finished } from './delivery-claims.js';
import { ServiceProcess } from '../../support/service-process.js';

/** Few of each in the suite; FAULT_KILLS=50 FAULT_EVENTS=5000 takes some minutes. */
const KILLS = Number(process.env['FAULT_KILLS'] ?? 3);
const EVENTS = Number(process.env['FAULT_EVENTS'] ?? 300);
const LONGEST_LIFE_MS = 1500;

describe('a worker that is killed again and again', () => {
  let t: AutomationsSystem;
  let worker: ServiceProcess | undefined;
  beforeAll(async () => {
    t = await AutomationsSystem.start({ WEBHOOK_SWEEP_SECONDS: '1' }, false);
  });
  afterAll(async () => {
    await worker?.kill('SIGKILL');
    await t.close();
  });

  async function startWorker(): Promise<void> {
    worker = await ServiceProcess.start('worker', {
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

  it('fires every event once, and delivers each at least once, under one id', async () => {
    const receiver = await t.receiver(
      (response) => void setTimeout(() => response.writeHead(204).end(), Math.random() * 20),
    );
    const automation = await t.automation(receiver, ALIAS_OF_EVENT);
    await Promise.all([fireAll(), killAll(receiver)]);
    await startWorker();
    await finished(t, automation, EVENTS);
    await expectFiredOnceAndDelivered(
      t,
      receiver,
      Array.from({ length: EVENTS }, (_, i) => `alias-${i}`),
    );
  }, 900_000);
});
