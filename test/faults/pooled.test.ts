import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Given, type GivenUser } from '../support/given.js';
import { PgBouncer } from '../support/pgbouncer.mjs';

/** What a session of the server's own would know and one of a pooler's doesn't. */
describe('an API behind PgBouncer', () => {
  let database: TestDatabase;
  let bouncer: PgBouncer;
  let api: TestApi;
  let user: GivenUser & { entity: string };
  beforeAll(async () => {
    database = await createDatabase();
    bouncer = await PgBouncer.start(database.url);
    const urls = { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: database.url };
    api = await startApi({ ...urls, DATABASE_TIMEOUT_SECONDS: '2', QUERY_TIMEOUT_SECONDS: '2' });
    user = await new Given(database.pool).member();
  }, 60_000);
  afterAll(async () => {
    await api?.close();
    await bouncer?.remove();
    await database?.drop();
  });

  const post = (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
    fetch(api.url + path, {
      method: 'POST',
      headers: user.basic,
      body: JSON.stringify({ project_id: `${user.entity}/traces`, ...body }),
      ...(signal ? { signal } : {}),
    });

  /** Statements that wait for a lock. */
  async function waiting(): Promise<number> {
    const { rows } = await database.pool.query<{ count: number }>(
      "SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows[0]!.count;
  }

  async function whileLocked(work: () => Promise<void>): Promise<void> {
    const client = await database.pool.connect();
    await client.query('BEGIN; LOCK TABLE calls IN ACCESS EXCLUSIVE MODE');
    try {
      await work();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  const start = {
    id: 'c',
    trace_id: 't',
    op_name: 'op',
    started_at: '2026-01-01T00:00:00Z',
    attributes: {},
    inputs: {},
  };
  const write = (): Promise<Response> =>
    post('/call/upsert_batch', {
      batch: [{ mode: 'start', req: { start: { ...start, project_id: `${user.entity}/traces` } } }],
    });

  it('ends a statement at its limit, on the server too', async () => {
    await whileLocked(async () => {
      expect((await write()).status).toBe(503);
      expect(await waiting()).toBe(0);
    });
    expect((await write()).status).toBe(200);
  });

  it('ends the query of a client that left, and nobody else’s', async () => {
    await whileLocked(async () => {
      const client = new AbortController();
      const left = post('/calls/stream_query', {}, client.signal);
      const stays = post('/calls/stream_query', {});
      await eventually(waiting, (count) => count === 2);
      client.abort();
      await expect(left).rejects.toThrow('abort');
      await eventually(waiting, (count) => count === 1);
      expect([(await stays).status, await waiting()]).toEqual([400, 0]);
    });
  });

  it('goes on once PgBouncer was killed and is back', async () => {
    await bouncer.kill();
    expect((await write()).status).toBe(503);
    await bouncer.resume();
    await eventually(write, ({ status }) => status === 200);
  });
});
