import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountsApi, startAccounts } from './accounts-api.js';
import { as, type Ask, pluck } from './requests.js';

describe('Users', () => {
  let api: AccountsApi;
  let root: Ask;

  beforeAll(async () => {
    api = await startAccounts();
    root = as(api, await api.given.user({ username: 'root', isAdmin: true }));
  });
  afterAll(() => api.close());

  it('are created and shown', async () => {
    const created = await root('POST', '/v1/users', { username: 'grace', email: 'grace@example.com' });
    const body = { username: 'grace', email: 'grace@example.com', is_admin: false, default_entity: null };
    expect(created).toMatchObject({ status: 201, body });
    expect(await root('GET', '/v1/users/grace')).toEqual({ ...created, status: 200, headers: expect.anything() });
    const again = await root('POST', '/v1/users', { username: 'grace' });
    expect(again).toMatchObject({ status: 409, body: { code: 'name_taken' } });
  });

  it('are created once by ten who do it at once', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => root('POST', '/v1/users', { username: 'ten' })));
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  it.each([
    [{ username: 'a b' }, 'username'],
    [{ username: 'x', email: 'nowhere' }, 'email'],
    [{ username: 'x', is_admin: 'yes' }, 'is_admin'],
    [{}, 'username'],
  ])('are refused where a field is not valid: %j', async (user, field) => {
    const refused = await root('POST', '/v1/users', user);
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', field] }] } });
  });

  it('are listed in pages, without gaps or repeats', async () => {
    for (let i = 0; i < 5; i++) await api.given.user({ username: `paged-${i}` });
    const seen: unknown[] = [];
    for (let after = '', more = true; more;) {
      const page = await root('GET', `/v1/users?limit=2${after && `&after=${after}`}`);
      expect(page.body).toMatchObject({ object: 'list', first_id: pluck(page, 'id')[0] });
      seen.push(...pluck(page, 'username'));
      after = page.body['last_id'] as string;
      more = page.body['has_more'] as boolean;
    }
    const all = pluck(await root('GET', '/v1/users?limit=100'), 'username');
    expect(all.length).toBeGreaterThan(5);
    expect(seen).toEqual(all);
    expect(pluck(await root('GET', '/v1/users?limit=100&order=desc'), 'username')).toEqual(all.reverse());
  });

  it('end in an empty page', async () => {
    const [last] = pluck(await root('GET', '/v1/users?order=desc&limit=1'), 'id');
    const { body } = await root('GET', `/v1/users?after=${String(last)}`);
    expect(body).toEqual({ object: 'list', data: [], first_id: null, last_id: null, has_more: false });
  });

  it.each(['after=nothing', 'after=5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11', 'limit=0', 'limit=101', 'order=up'])(
    'are not listed for ?%s',
    async (query) => {
      const refused = await root('GET', `/v1/users?${query}`);
      expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', query.split('=')[0]] }] } });
    },
  );

  it('are changed, field by field', async () => {
    const { username } = await api.given.user();
    const path = `/v1/users/${username}`;
    expect((await root('PATCH', path, { is_admin: true })).body).toMatchObject({ is_admin: true, email: null });
    const changed = await root('PATCH', path, { email: 'a@example.com' });
    expect(changed.body).toMatchObject({ is_admin: true, email: 'a@example.com' });
    expect((await root('PATCH', path, { email: null, is_admin: false })).body).toMatchObject({
      is_admin: false,
      email: null,
    });
    expect((await root('PATCH', path, {})).status).toBe(200);
  });

  it('are deleted with their keys', async () => {
    const leaver = await api.given.member();
    expect((await as(api, leaver)('GET', '/v1/me')).status).toBe(200);
    expect((await root('DELETE', `/v1/users/${leaver.username}`)).status).toBe(204);
    expect((await as(api, leaver)('GET', '/v1/me')).status).toBe(401);
    expect((await root('GET', `/v1/users/${leaver.username}`)).status).toBe(404);
  });

  it('are not deleted while a team has no other administrator', async () => {
    const team = await api.given.team();
    const { username } = await api.given.user({ teams: [{ ...team, role: 'admin' }] });
    const refused = await root('DELETE', `/v1/users/${username}`);
    const detail = `'${username}' is the last administrator of team '${team.name}': make another one first`;
    expect(refused).toMatchObject({ status: 409, body: { code: 'last_admin', detail } });
  });

  it('keep their last instance administrator', async () => {
    for (const answer of [
      await root('DELETE', '/v1/users/root'),
      await root('PATCH', '/v1/users/root', { is_admin: false }),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    }
  });

  it("are nobody else's business", async () => {
    const eve = as(api, await api.given.member());
    const answers = [
      await eve('GET', '/v1/users'),
      await eve('GET', '/v1/users/root'),
      await eve('GET', '/v1/users/nobody'),
      await eve('POST', '/v1/users', { username: 'mallory' }),
      await eve('PATCH', '/v1/users/root', { is_admin: false }),
      await eve('DELETE', '/v1/users/root'),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 403, body: { code: 'missing_role' } });
  });

  it('that do not exist are not found, whatever their name', async () => {
    expect(await root('GET', '/v1/users/nobody')).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    for (const name of ['%00', '%F0%9F%A7%B6', 'a%2Fb'])
      expect((await root('GET', `/v1/users/${name}`)).status).toBe(422);
    expect((await root('GET', '/v1/users/%FF')).status).toBe(400);
  });
});

describe('/v1/me', () => {
  let api: AccountsApi;

  beforeAll(async () => {
    api = await startAccounts();
  });
  afterAll(() => api.close());

  it('shows the owner of the key, with their teams and roles', async () => {
    const [first, second] = [await api.given.team('weavers'), await api.given.team('dyers')];
    const ada = as(api, await api.given.user({ username: 'ada', teams: [first, { ...second, role: 'admin' }] }));
    expect((await ada('GET', '/v1/me')).body).toEqual({
      id: expect.any(String),
      username: 'ada',
      email: null,
      is_admin: false,
      default_entity: 'weavers',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      teams: [
        { name: 'weavers', role: 'member' },
        { name: 'dyers', role: 'admin' },
      ],
    });
    const changed = await ada('PATCH', '/v1/me', { email: 'ada@example.com', default_entity: 'dyers' });
    expect(changed).toMatchObject({ status: 200, body: { email: 'ada@example.com', default_entity: 'dyers' } });
  });

  it('takes no other team as the default, and no privileges', async () => {
    await api.given.team('spinners');
    const eve = as(api, await api.given.member());
    for (const default_entity of ['spinners', 'nowhere']) {
      expect(await eve('PATCH', '/v1/me', { default_entity })).toMatchObject({ status: 404 });
    }
    expect((await eve('PATCH', '/v1/me', { is_admin: true })).status).toBe(422);
    expect((await eve('GET', '/v1/me')).body).toMatchObject({ is_admin: false });
  });
});
