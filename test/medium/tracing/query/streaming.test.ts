import { setTimeout as delay } from 'node:timers/promises';
import { givenManyCalls } from './many-calls.js';
import { type QueryClient, startQueries } from './query-client.js';

/** About 33 MiB: more than the buffers between server and client take in. */
const MANY = 30_000;
/** Half of the pool that `startApi` gives a process. */
const CONNECTIONS = 4;

describe('The stream of a call query', () => {
  let calls: QueryClient;

  beforeAll(async () => {
    calls = await startQueries({ QUERY_TIMEOUT_SECONDS: '2' });
    await givenManyCalls(calls, MANY);
  });
  afterAll(() => calls.api.close());

  /** Connections of the API that are in the middle of something. */
  const busy = async (): Promise<number[]> => {
    const { rows } = await calls.api.database.pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND application_name = 'heddle-api' AND state <> 'idle' AND query NOT LIKE '%bullmq%' AND query NOT ILIKE 'LISTEN%'`,
    );
    return rows.map(({ pid }) => pid);
  };

  const until = async (condition: () => Promise<boolean>): Promise<void> => {
    while (!(await condition())) await delay(20);
  };

  /** While the callback runs, whoever reads calls waits. */
  const whileLocked = async (work: () => Promise<void>): Promise<void> => {
    const client = await calls.api.database.pool.connect();
    await client.query('BEGIN; LOCK TABLE calls IN ACCESS EXCLUSIVE MODE');
    try {
      await work();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  };

  it('brings all calls, each once, in order', async () => {
    const response = await calls.post('/calls/stream_query', {});
    expect(response.headers.get('content-type')).toMatch(/^application\/jsonl/);
    const found = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(found).toEqual(Array.from({ length: MANY }, (_, i) => `call-${String(i + 1).padStart(9, '0')}`));
  });

  it.each([
    ['under a page', 499],
    ['a page', 500],
    ['over a page', 501],
    ['two pages', 1000],
  ])('stops at a limit of %s', async (_what, limit) => {
    expect(await calls.find({ limit, columns: ['id'] })).toHaveLength(limit);
  });

  it('is an empty body where nothing is found', async () => {
    const response = await calls.post('/calls/stream_query', { filter: { call_ids: ['none'] } });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('waits for a slow reader, and reads no further meanwhile', async () => {
    const response = await calls.post('/calls/stream_query', {});
    const reader = response.body!.getReader();
    await reader.read();
    await until(async () => (await busy()).length === 1);
    const [pid] = await busy();
    await delay(300);
    expect(await busy()).toEqual([pid]);
    let bytes = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.length;
    expect(bytes).toBeGreaterThan(MANY * 1000);
    await until(async () => (await busy()).length === 0);
  });

  it('ends with the client: the connection is free again', async () => {
    for (let i = 0; i < 3 * CONNECTIONS; i++) {
      const client = new AbortController();
      const response = await calls.post('/calls/stream_query', {}, { signal: client.signal });
      await response.body!.getReader().read();
      client.abort();
    }
    await until(async () => (await busy()).length === 0);
    expect(await calls.count()).toBe(MANY);
  });

  it('cancels the statement of a client that left before the first call', async () => {
    await whileLocked(async () => {
      const client = new AbortController();
      const request = calls.post('/calls/stream_query', {}, { signal: client.signal });
      await until(async () => (await busy()).length === 1);
      client.abort();
      await expect(request).rejects.toThrow('abort');
      await until(async () => (await busy()).length === 0);
    });
  });

  it('leaves half of the pool to others, however many queries wait', async () => {
    const waiting: Promise<Response>[] = [];
    await whileLocked(async () => {
      for (let i = 0; i < 2 * CONNECTIONS; i++) waiting.push(calls.post('/calls/stream_query', { limit: 1 }));
      await until(async () => (await busy()).length === CONNECTIONS);
      const whoAmI = await calls.post('/graphql', '{"query":"{ viewer { username } }"}');
      expect(await whoAmI.json()).toEqual({ data: { viewer: { username: calls.user.username } } });
      expect(await busy()).toHaveLength(CONNECTIONS);
    });
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 200));
  });

  it.each(['stream_query', 'query_stats'])('%s gives up on a statement that takes too long', async (route) => {
    await whileLocked(async () => {
      const response = await calls.post(`/calls/${route}`, {});
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: 'query_too_slow',
        reason: expect.stringContaining('2 s') as string,
      });
    });
    expect(await calls.count()).toBe(MANY);
  });

  it('breaks the connection when it fails half-way', async () => {
    const response = await calls.post('/calls/stream_query', {});
    const reader = response.body!.getReader();
    await reader.read();
    const [pid] = await busy();
    await calls.api.database.pool.query('SELECT pg_terminate_backend($1)', [pid]);
    const readOn = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    await expect(readOn()).rejects.toThrow('terminated');
    expect(await calls.count()).toBe(MANY);
  });
});
