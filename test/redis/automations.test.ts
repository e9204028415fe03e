import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { AutomationsSystem } from '../medium/automations/automations-system.js';
import { ALIAS_OF_EVENT, expectFiredOnceAndDelivered, finished } from '../medium/automations/delivery-claims.js';
import { ServiceProcess } from '../support/service-process.js';
import { RedisServer } from './redis-server.js';

const EVENTS = 300;
const FLUSHES = 6;

describe('deliveries announced through a Redis that forgets', () => {
  let redis: RedisServer;
  let t: AutomationsSystem;
  let worker: ServiceProcess;
  let published = 0;

  beforeAll(async () => {
    redis = await RedisServer.start();
    const settings = { REDIS_URL: redis.url, WEBHOOK_SWEEP_SECONDS: '1' };
    t = await AutomationsSystem.start(settings, false);
    worker = await ServiceProcess.start('worker', {
      ...settings,
      DATABASE_URL: t.database.url,
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8',
    });
  });
  afterAll(async () => {
    await worker.kill('SIGKILL');
    await t.close();
    await redis.remove();
  });

  async function fireAll(): Promise<string[]> {
    const aliases = Array.from({ length: EVENTS }, (_, i) => `alias-${i}`);
    for (const alias of aliases) {
      await t.publish(await t.aliasEvent(alias));
      published++;
      await pause(10);
    }
    return aliases;
  }

  async function flush(): Promise<void> {
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
  }

  /** Half of the flushes before, half after it was killed. */
  async function forget(): Promise<void> {
    for (let i = 1; i <= FLUSHES; i++) {
      while (published < (i * EVENTS) / (FLUSHES + 1)) await pause(5);
      await flush();
      if (i !== FLUSHES / 2) continue;
      await redis.stop();
      await pause(500);
      await redis.resume();
    }
  }

  it('fires every event once, and delivers each at least once, under one id', async () => {
    const receiver = await t.receiver(
      (response) => void setTimeout(() => response.writeHead(204).end(), Math.random() * 20),
    );
    const automation = await t.automation(receiver, ALIAS_OF_EVENT);
    const [aliases] = await Promise.all([fireAll(), forget()]);
    await finished(t, automation, EVENTS);
    await expectFiredOnceAndDelivered(t, receiver, aliases);
    expect(worker.isAlive).toBe(true);
  }, 120_000);
});
