import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { Env } from '@heddle/config';
import { prepareQueues, QueuesUnusableError } from '@heddle/queues';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { describeQueues } from '../medium/queues/queue-behaviour.js';
import { RedisServer } from './redis-server.js';

describe('on Redis', () => {
  let database: TestDatabase;
  let redis: RedisServer;
  let counter = 0;

  beforeAll(async () => {
    database = await createDatabase();
    redis = await RedisServer.start();
  });

  afterAll(async () => {
    await redis.remove();
    await database.drop();
  });

  describeQueues(async () => ({
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    QUEUE_PREFIX: `test_${++counter}`,
  }));
});

describe('prepareQueues', () => {
  const prepare = (url: string) => prepareQueues(Env.from({ NODE_ENV: 'test', REDIS_URL: url }));

  it('says in one line that Redis is not there, without the password', async () => {
    const failure = prepare('redis://user:pa55word@127.0.0.1:1');
    await expect(failure).rejects.toThrow(QueuesUnusableError);
    await expect(failure).rejects.toThrow(
      /^Redis at 127\.0\.0\.1:1 can't be used: connect ECONNREFUSED 127\.0\.0\.1:1$/,
    );
  });

  it('refuses a Redis that is too old', async () => {
    const info = '# Server\r\nredis_version:6.2.14\r\nloading:0\r\n';
    const old = createServer((socket) => {
      socket.on('error', () => undefined);
      // Whatever it is asked, it tells about itself; a command starts with its number of words.
      socket.on('data', (chunk) => {
        const commands = chunk.toString().match(/^\*\d+\r$/gm) ?? [];
        for (let i = 0; i < commands.length; i++) socket.write(`$${info.length}\r\n${info}\r\n`);
      });
    });
    await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
    const { port } = old.address() as AddressInfo;
    await expect(prepare(`redis://127.0.0.1:${port}`)).rejects.toThrow(
      `Redis 7 or newer is required; 127.0.0.1:${port} runs 6.2.14`,
    );
    old.close();
  });

  it('gives up on a server that takes the connection and says nothing', async () => {
    const silent = createServer((socket) => void socket.on('error', () => undefined));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    await expect(prepare(`redis://127.0.0.1:${port}`)).rejects.toThrow(QueuesUnusableError);
    silent.close();
  });
});
