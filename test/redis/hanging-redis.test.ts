import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../support/api.js';
import type { GivenUser } from '../support/given.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { RedisServer } from './redis-server.js';

/** A request that waits for Redis waits for ever; this is only the end of the test's patience. */
const PATIENCE_MS = 20_000;

const EXAMPLE = JSON.stringify({
  messages: [
    { role: 'user', content: 'ping' },
    { role: 'assistant', content: 'pong' },
  ],
});

describe('requests while Redis', () => {
  let redis: RedisServer;
  let proxy: TcpProxy;
  let api: TestApi;
  let user: GivenUser & { entity: string };
  let modelId: string;

  beforeAll(async () => {
    redis = await RedisServer.start();
    proxy = new TcpProxy(new URL(redis.url));
    api = await startApi({ REDIS_URL: await proxy.start() });
    user = await api.given.member();
    const body = { project: 'demo', name: 'facts', base_model: 'heddle/shuttle-1m' };
    modelId = (await send('/v1/preview/models', JSON.stringify(body))).body['id'] as string;
  }, 60_000);
  afterAll(async () => {
    await proxy.pass();
    await api.close();
    await proxy.refuse();
    await redis.remove();
  });

  async function send(path: string, body: string): Promise<{ status: number; body: Record<string, unknown> }> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(api.url + path, { method: 'POST', headers: user.bearer, body, signal });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  const train = () => send(`/v1/preview/sft-training-jobs/upload?model_id=${modelId}`, `${EXAMPLE}\n`.repeat(4));

  it.each(['hangs', 'is away'])(
    '%s are answered: their rows are committed',
    async (how) => {
      await (how === 'hangs' ? proxy.hang() : proxy.refuse());
      const { status, body } = await train();
      expect([status, body]).toEqual([200, expect.objectContaining({ id: expect.any(String) })]);
      const { rows } = await api.database.pool.query('SELECT state FROM training_jobs WHERE id = $1', [body['id']]);
      expect(rows).toEqual([{ state: 'QUEUED' }]);
      await proxy.pass();
    },
    60_000,
  );

  it('hangs find out that the queues are down, and that the database is not', async () => {
    proxy.hang();
    const response = await fetch(`${api.url}/health/ready`);
    const down = { status: 'down', message: 'not reachable' };
    expect([response.status, await response.json()]).toMatchObject([503, { error: { queues: down } }]);
    await proxy.pass();
  }, 60_000);
});
