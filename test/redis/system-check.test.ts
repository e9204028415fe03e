import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestSystem } from '../medium/health/test-system.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { RedisServer } from './redis-server.js';

describe('health with the queues on Redis', () => {
  let database: TestDatabase;
  let redis: RedisServer;
  let system: TestSystem;

  beforeAll(async () => {
    database = await createDatabase();
    redis = await RedisServer.start();
    system = await TestSystem.start({ DATABASE_URL: database.url, REDIS_URL: redis.url });
    await system.startWorker();
  });

  afterAll(async () => {
    await system.close();
    await redis.remove();
    await database.drop();
  });

  it('sends probes through Redis', async () => {
    const { status, body } = await system.get('/v1/system-check');
    expect(body).toMatchObject({ database: true, cpu_queue: { success: true }, gpu_queue: { success: true } });
    expect(status).toBe(200);
    expect((await system.get('/health/ready')).status).toBe(200);
  });

  it('sees Redis stopped, while the database goes on, and sees it back', async () => {
    await redis.stop();
    const { status, body, text } = await system.get('/v1/system-check');
    const down = { success: false, duration: expect.any(Number), errors: ['the queue took no job'] };
    expect(body).toEqual({ api: true, database: true, cpu_queue: down, gpu_queue: down });
    expect(status).toBe(503);
    expect(text).not.toMatch(/127\.0\.0\.1|ECONN/);
    expect(await system.get('/health/ready')).toMatchObject({
      status: 503,
      body: { info: { database: { status: 'up' } }, error: { queues: { status: 'down' } } },
    });

    await redis.resume();
    await system.until('/v1/system-check', 200);
  });
});
