import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountsApi, startAccounts } from './accounts-api.js';
import { as, pluck } from './requests.js';

describe('Projects', () => {
  let api: AccountsApi;

  beforeAll(async () => {
    api = await startAccounts();
  });
  afterAll(() => api.close());

  /** A team with one project, named `loom`. */
  async function loom() {
    const team = await api.given.team();
    const admin = as(api, await api.given.user({ teams: [{ ...team, role: 'admin' }] }));
    const member = as(api, await api.given.user({ teams: [team] }));
    await member('POST', '/v1/projects', { entity: team.name, name: 'loom' });
    return { entity: team.name, path: `/v1/projects/${team.name}/loom`, admin, member };
  }

  it('are created by any member, in the default entity where none is named', async () => {
    const ada = await api.given.member();
    const created = await as(api, ada)('POST', '/v1/projects', { entity: null, name: 'my project' });
    const settings = { retention_days: null, chat_tracing: false };
    const body = { id: `${ada.entity}/my project`, entity: ada.entity, name: 'my project', ...settings };
    expect(created).toMatchObject({ status: 201, body });
    const shown = await as(api, ada)('GET', `/v1/projects/${ada.entity}/my%20project`);
    expect(shown.body).toEqual(created.body);
    const again = await as(api, ada)('POST', '/v1/projects', { name: 'my project' });
    expect(again).toMatchObject({ status: 409, body: { code: 'project_exists' } });
  });

  it('need an entity', async () => {
    const homeless = as(api, await api.given.user());
    const refused = await homeless('POST', '/v1/projects', { name: 'x' });
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'entity'], type: 'no_default_entity' }] },
    });
  });

  it.each(['', 'a/b', 'a\u0000', '\udfff', 'x'.repeat(129), 5])('refuse the name %j', async (name) => {
    const ada = as(api, await api.given.member());
    expect((await ada('POST', '/v1/projects', { name })).status).toBe(422);
  });

  it('keep their calls for as long as a team administrator says', async () => {
    const { path, admin, member } = await loom();
    for (const retention_days of [90, 0, null]) {
      const changed = await admin('PATCH', path, { retention_days });
      expect(changed).toMatchObject({ status: 200, body: { retention_days } });
    }
    await admin('PATCH', path, { retention_days: 30 });
    expect((await admin('PATCH', path, {})).body).toMatchObject({ retention_days: 30 });
    for (const retention_days of [-1, 1.5, '30', 36_501]) {
      expect((await admin('PATCH', path, { retention_days })).status).toBe(422);
    }
    expect(await member('PATCH', path, { retention_days: 1 })).toMatchObject({
      status: 403,
      body: { code: 'missing_role' },
    });
  });

  it('trace chat where a team administrator says so', async () => {
    const { path, admin, member } = await loom();
    expect(await admin('PATCH', path, { chat_tracing: true })).toMatchObject({
      status: 200,
      body: { chat_tracing: true, retention_days: null },
    });
    expect((await admin('PATCH', path, { retention_days: 1 })).body).toMatchObject({ chat_tracing: true });
    for (const chat_tracing of [null, 'yes', 1]) {
      expect((await admin('PATCH', path, { chat_tracing })).status).toBe(422);
    }
    expect((await member('PATCH', path, { chat_tracing: false })).status).toBe(403);
  });

  it('are listed by page, of one team or of all', async () => {
    const { entity, member } = await loom();
    for (const name of ['b', 'a', 'c']) await member('POST', '/v1/projects', { name });
    const first = await member('GET', `/v1/projects?entity=${entity}&limit=3`);
    expect(pluck(first, 'name')).toEqual(['loom', 'b', 'a']);
    expect(first.body).toMatchObject({ has_more: true, last_id: `${entity}/a` });
    const rest = await member('GET', `/v1/projects?limit=3&after=${encodeURIComponent(`${entity}/a`)}`);
    expect(pluck(rest, 'name')).toEqual(['c']);
    expect(pluck(await member('GET', '/v1/projects?order=desc&limit=1'), 'name')).toEqual(['c']);
    expect((await member('GET', '/v1/projects?after=x')).status).toBe(422);
    expect((await member('GET', `/v1/projects?after=${entity}%2Fnone`)).status).toBe(422);
  });

  it('show and let do nothing to another team', async () => {
    const { entity, path, admin } = await loom();
    const eve = as(api, await api.given.member());
    const answers = [
      await eve('GET', path),
      await eve('GET', `/v1/projects?entity=${entity}`),
      await eve('PATCH', path, { retention_days: 1 }),
      await eve('POST', '/v1/projects', { entity, name: 'mine' }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: 'entity_not_found' } });
    expect(pluck(await eve('GET', '/v1/projects'), 'entity')).not.toContain(entity);
    expect((await eve('GET', `/v1/projects?after=${entity}%2Floom`)).status).toBe(422);
    expect(pluck(await admin('GET', '/v1/projects'), 'name')).toEqual(['loom']);
  });

  it('that do not exist are not found', async () => {
    const { entity, member } = await loom();
    const missing = await member('GET', `/v1/projects/${entity}/none`);
    expect(missing).toMatchObject({ status: 404, body: { code: 'project_not_found' } });
    expect((await member('GET', `/v1/projects/${entity}/%00`)).status).toBe(422);
    expect(pluck(await as(api, await api.given.user())('GET', '/v1/projects'), 'id')).toEqual([]);
  });
});
