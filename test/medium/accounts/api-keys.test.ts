import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountsApi, startAccounts } from './accounts-api.js';
import { as, pluck } from './requests.js';

const CACHE_SECONDS = 1;

describe('API keys', () => {
  let api: AccountsApi;

  beforeAll(async () => {
    api = await startAccounts({ AUTH_CACHE_SECONDS: String(CACHE_SECONDS) });
  });
  afterAll(() => api.close());

  /** A user with a second key, made over the API. */
  async function withSecondKey(on = api) {
    const ada = await api.given.user();
    const created = await as(on, ada)('POST', '/v1/api-keys', { name: 'laptop' });
    const key = created.body['key'] as string;
    const second = { bearer: { authorization: `Bearer ${key}` } };
    return { ada: as(on, ada), second: as(on, second), bearer: second, created, key, id: created.body['id'] as string };
  }

  it('are shown once, when they are made', async () => {
    const { ada, second, created, key } = await withSecondKey();
    expect(created).toMatchObject({
      status: 201,
      body: { name: 'laptop', prefix: key.slice(0, 8), last_used_at: null },
    });
    expect(key).toMatch(/^hd_[A-Za-z0-9]{43}$/);
    expect(created.headers.get('cache-control')).toBe('no-store');
    expect((await second('GET', '/v1/me')).status).toBe(200);
    const list = await ada('GET', '/v1/api-keys');
    expect(pluck(list, 'name')).toEqual(['test', 'laptop']);
    expect(JSON.stringify(list.body)).not.toContain(key);
  });

  it('are nowhere in the database', async () => {
    const { key } = await withSecondKey();
    const { rows: tables } = await api.database.pool.query<{ name: string }>(
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    expect(tables.map(({ name }) => name)).toContain('api_keys');
    for (const { name } of tables) {
      const { rows } = await api.database.pool.query(`SELECT FROM ${name} t WHERE strpos(t::text, $1) > 0`, [
        key.slice(8),
      ]);
      expect(rows).toHaveLength(0);
    }
  });

  it('stop at once on the process that revoked them', async () => {
    const { ada, second, id } = await withSecondKey();
    expect((await second('GET', '/v1/me')).status).toBe(200);
    expect((await ada('DELETE', `/v1/api-keys/${id}`)).status).toBe(204);
    expect((await second('GET', '/v1/me')).status).toBe(401);
    expect(pluck(await ada('GET', '/v1/api-keys'), 'name')).toEqual(['test']);
    expect(await ada('DELETE', `/v1/api-keys/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'api_key_not_found' },
    });
  });

  it('stop within the cache time on every other process', async () => {
    const otherProcess = await startAccounts({ AUTH_CACHE_SECONDS: String(CACHE_SECONDS) }, api.database);
    try {
      const { ada, bearer, id } = await withSecondKey();
      const second = as(otherProcess, bearer);
      expect((await second('GET', '/v1/me')).status).toBe(200);
      await ada('DELETE', `/v1/api-keys/${id}`);
      await delay(CACHE_SECONDS * 1000 + 50);
      expect((await second('GET', '/v1/me')).status).toBe(401);
    } finally {
      await otherProcess.close();
    }
  });

  it('carry the time of their last use, to the minute', async () => {
    const { ada, second, id } = await withSecondKey();
    const lastUse = async () => {
      const { rows } = await api.database.pool.query<{ at: Date | null }>(
        'SELECT last_used_at AS at FROM api_keys WHERE id = $1',
        [id],
      );
      return rows[0]!.at;
    };
    expect(await lastUse()).toBeNull();
    await second('GET', '/v1/me');
    // It is written beside the request, not before its answer.
    for (let i = 0; i < 100 && (await lastUse()) === null; i++) await delay(20);
    const first = await lastUse();
    expect(first).toBeInstanceOf(Date);
    await second('GET', '/v1/me');
    await delay(50);
    expect(await lastUse()).toEqual(first);
    expect(pluck(await ada('GET', '/v1/api-keys'), 'last_used_at')).toContain(first!.toISOString());
  });

  it('are out of reach of other users', async () => {
    const { id, second } = await withSecondKey();
    const eve = as(api, await api.given.user());
    expect((await eve('DELETE', `/v1/api-keys/${id}`)).status).toBe(404);
    expect(pluck(await eve('GET', '/v1/api-keys'), 'id')).not.toContain(id);
    expect((await second('GET', '/v1/me')).status).toBe(200);
  });

  it('can be made, listed and revoked for others by instance administrators', async () => {
    const admin = as(api, await api.given.user({ isAdmin: true }));
    const bob = await api.given.user();
    const path = `/v1/users/${bob.username}/api-keys`;
    const created = await admin('POST', path, { name: 'first' });
    const authorization = `Bearer ${created.body['key'] as string}`;
    const me = await as(api, { bearer: { authorization } })('GET', '/v1/me');
    expect(me.body).toMatchObject({ username: bob.username });
    expect(pluck(await admin('GET', path), 'name')).toEqual(['test', 'first']);
    expect((await admin('DELETE', `${path}/${created.body['id'] as string}`)).status).toBe(204);
    expect(await admin('POST', '/v1/users/nobody/api-keys', { name: 'x' })).toMatchObject({ status: 404 });
  });

  it('can be made for others by nobody else', async () => {
    const eve = as(api, await api.given.user());
    const bob = await api.given.user();
    const refused = await eve('POST', `/v1/users/${bob.username}/api-keys`, { name: 'x' });
    expect(refused).toMatchObject({ status: 403, body: { code: 'missing_role' } });
  });

  it.each(['', 'x'.repeat(101), 'a\u0000', '\ud800', 'ADMIN_API_KEY', null])('refuse the name %j', async (name) => {
    const ada = as(api, await api.given.user());
    expect((await ada('POST', '/v1/api-keys', { name })).status).toBe(422);
    expect((await ada('DELETE', '/v1/api-keys/not-a-uuid')).status).toBe(422);
  });
});
