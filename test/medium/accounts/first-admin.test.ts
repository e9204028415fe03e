import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { type AccountsApi, startAccounts } from './accounts-api.js';
import { as } from './requests.js';

const KEY_A = 'a'.repeat(40);
const KEY_B = `colons:and:slashes/${'b'.repeat(30)}`;
const withKey = (key: string) => ({ bearer: { authorization: `Bearer ${key}` } });

describe('The first administrator', () => {
  let database: TestDatabase;
  let processes: AccountsApi[];

  beforeEach(async () => {
    processes = [];
    database = await createDatabase();
  });
  afterEach(async () => {
    for (const process of processes) await process.close();
    await database.drop();
  });

  async function start(settings: Record<string, string> = {}): Promise<AccountsApi> {
    const process = await startAccounts({ AUTH_CACHE_SECONDS: '0', ...settings }, database);
    processes.push(process);
    return process;
  }

  const me = (api: AccountsApi, key: string) => as(api, withKey(key))('GET', '/v1/me');
  const count = async (table: 'users' | 'teams' | 'api_keys') =>
    (await database.pool.query(`SELECT FROM ${table}`)).rowCount;

  it('gets a generated key on the first start, and only then', async () => {
    const api = await start();
    const { createdKey } = await api.ensureFirstAdmin();
    expect((await me(api, createdKey!)).body).toMatchObject({
      username: 'admin',
      is_admin: true,
      default_entity: 'admin',
      teams: [{ name: 'admin', role: 'admin' }],
    });
    expect(await api.ensureFirstAdmin()).toEqual({ createdKey: null });
  });

  it('is made once by processes that start at once, one of which gets the key', async () => {
    const apis = await Promise.all([start(), start(), start()]);
    const results = await Promise.all([...apis, ...apis].map((api) => api.ensureFirstAdmin()));
    expect(results.filter(({ createdKey }) => createdKey !== null)).toHaveLength(1);
    expect([await count('users'), await count('teams'), await count('api_keys')]).toEqual([1, 1, 1]);
  });

  it('has the key from the environment, on every process and start', async () => {
    const apis = await Promise.all([start({ ADMIN_API_KEY: KEY_A }), start({ ADMIN_API_KEY: KEY_A })]);
    for (const result of await Promise.all(apis.map((api) => api.ensureFirstAdmin()))) {
      expect(result).toEqual({ createdKey: null });
    }
    for (const api of apis) expect((await me(api, KEY_A)).body).toMatchObject({ username: 'admin', is_admin: true });
    expect([await count('users'), await count('api_keys')]).toEqual([1, 1]);
  });

  it('loses the old key when the environment names another, and keeps its own ones', async () => {
    const before = await start({ ADMIN_API_KEY: KEY_A });
    await before.ensureFirstAdmin();
    const own = await as(before, withKey(KEY_A))('POST', '/v1/api-keys', { name: 'own' });
    const after = await start({ ADMIN_API_KEY: KEY_B });
    await after.ensureFirstAdmin();
    expect((await me(after, KEY_A)).status).toBe(401);
    expect((await me(after, KEY_B)).status).toBe(200);
    expect((await me(after, own.body['key'] as string)).status).toBe(200);
    const pair = Buffer.from(`api:${KEY_B}`).toString('base64');
    const answer = await fetch(`${after.url}/probe/basic`, { headers: { authorization: `Basic ${pair}` } });
    expect(answer.status).toBe(200);
    // And back again.
    await before.ensureFirstAdmin();
    expect([(await me(after, KEY_A)).status, (await me(after, KEY_B)).status]).toEqual([200, 401]);
  });

  it('comes back by the environment after the only key was revoked', async () => {
    const api = await start({ ADMIN_API_KEY: KEY_A });
    await api.ensureFirstAdmin();
    const admin = as(api, withKey(KEY_A));
    const keys = await admin('GET', '/v1/api-keys');
    await admin('DELETE', `/v1/api-keys/${keys.body['first_id'] as string}`);
    expect((await me(api, KEY_A)).status).toBe(401);
    await api.ensureFirstAdmin();
    expect((await me(api, KEY_A)).status).toBe(200);
  });

  it("does not enter a team named 'admin' that is somebody else's", async () => {
    const api = await start({ ADMIN_API_KEY: KEY_A });
    await api.given.user({ username: 'ada', teams: [await api.given.team('admin')] });
    await api.ensureFirstAdmin();
    expect((await me(api, KEY_A)).body).toMatchObject({ is_admin: true, default_entity: null, teams: [] });
  });
});
