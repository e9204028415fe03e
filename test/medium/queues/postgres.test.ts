import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { getQueueToken } from '@nestjs/bullmq';
import { Env } from '@heddle/config';
import { poolOf } from '@heddle/database';
import { prepareQueues, QueueConnection, QueuesUnusableError } from '@heddle/queues';
import type { Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { createWorker } from '../../../apps/worker/src/create-worker.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { describeQueues } from './queue-behaviour.js';

const databases: TestDatabase[] = [];

async function newDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  databases.push(database);
  return database;
}

afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
});

describe('on PostgreSQL', () => {
  describeQueues(async () => ({ DATABASE_URL: (await newDatabase()).url }));

  it('shares few connections, and only these commit without waiting for the disk', async () => {
    const database = await newDatabase();
    const worker = await createWorker(Env.from({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: database.url }));
    try {
      await worker.init();
      const queues = worker.get(QueueConnection, { strict: false }).postgres!.pool;
      const main = poolOf(worker.get(DataSource));
      const cpu = worker.get<Queue>(getQueueToken('cpu'), { strict: false });
      await Promise.all(Array.from({ length: 50 }, () => cpu.add('probe', {})));
      expect(queues.totalCount).toBeLessThanOrEqual(10);
      const setting = "SELECT setting, source FROM pg_settings WHERE name = 'synchronous_commit'";
      expect((await queues.query(setting)).rows).toEqual([{ setting: 'off', source: 'client' }]);
      expect((await main.query(setting)).rows).not.toMatchObject([{ source: 'client' }]);
    } finally {
      await worker.close();
    }
  });
});

describe('prepareQueues', () => {
  const prepare = (settings: Record<string, string>) => prepareQueues(Env.from({ NODE_ENV: 'test', ...settings }));

  it('makes the schema named by QUEUE_PREFIX, also when several processes start at once', async () => {
    const database = await newDatabase();
    const settings = { DATABASE_URL: database.url, QUEUE_PREFIX: 'other_queues' };
    await Promise.all([prepare(settings), prepare(settings), prepare(settings)]);
    const { rows } = await database.pool.query("SELECT to_regclass('other_queues.job') IS NOT NULL AS made");
    expect(rows).toEqual([{ made: true }]);
  });

  it('says in one line that the server is not there, without the password', async () => {
    const failure = prepare({ DATABASE_URL: 'postgres://user:pa55word@127.0.0.1:1/heddle' });
    await expect(failure).rejects.toThrow(QueuesUnusableError);
    await expect(failure).rejects.toThrow(
      /^The queues' schema heddle_queues in PostgreSQL can't be prepared: connect ECONNREFUSED 127\.0\.0\.1:1$/,
    );
  });

  it('gives up on a server that takes the connection and says nothing', async () => {
    const silent = createServer((socket) => void socket.on('error', () => undefined));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    await expect(prepare({ DATABASE_URL: `postgres://user@127.0.0.1:${port}/heddle` })).rejects.toThrow(/timeout/);
    silent.close();
  });
});
