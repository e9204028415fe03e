import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.js';
import { as, type Ask, pluck } from '../accounts/requests.js';

const SECRETS_KEY = randomBytes(32).toString('base64');

describe('Secrets', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ SECRETS_KEY, WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8' });
  });
  afterAll(() => api.close());

  async function weavers() {
    const team = await api.given.team();
    const ada = await api.given.user({ teams: [{ ...team, role: 'admin' }] });
    return {
      team,
      username: ada.username,
      path: `/v1/teams/${team.name}/secrets`,
      webhooks: `/v1/teams/${team.name}/webhooks`,
      admin: as(api, ada),
      member: as(api, await api.given.user({ teams: [team] })),
      stranger: as(api, await api.given.member()),
    };
  }
  const TOKEN = { name: 'GITHUB_TOKEN', value: 'ghp_t0ken' };

  it('are stored, and shown without their values', async () => {
    const { admin, path, username } = await weavers();
    const created = await admin('POST', path, TOKEN);
    const shown = {
      id: expect.any(String),
      name: 'GITHUB_TOKEN',
      version: 1,
      created_at: expect.any(String),
      created_by: username,
      updated_at: expect.any(String),
      updated_by: username,
    };
    expect(created).toMatchObject({ status: 201 });
    expect(created.body).toEqual(shown);
    expect((await admin('GET', path)).body['data']).toEqual([shown]);
    expect((await admin('GET', `${path}/GITHUB_TOKEN`)).body).toEqual(shown);
  });

  it('are listed by pages', async () => {
    const { admin, path } = await weavers();
    for (const name of ['A', 'B', 'C']) await admin('POST', path, { name, value: 'x' });
    const first = await admin('GET', `${path}?limit=2`);
    expect(pluck(first, 'name')).toEqual(['A', 'B']);
    const rest = await admin('GET', `${path}?limit=2&after=${String(first.body['last_id'])}`);
    expect([pluck(rest, 'name'), rest.body['has_more']]).toEqual([['C'], false]);
  });

  it('get a new value and a new version by rotation', async () => {
    const { admin, path } = await weavers();
    await admin('POST', path, TOKEN);
    expect(await admin('PUT', `${path}/GITHUB_TOKEN`, { value: 'new' })).toMatchObject({
      status: 200,
      body: { name: 'GITHUB_TOKEN', version: 2 },
    });
    const missing = await admin('PUT', `${path}/OTHER`, { value: 'new' });
    expect(missing).toMatchObject({ status: 404, body: { code: 'secret_not_found' } });
  });

  it('rotate one after the other: no version is lost', async () => {
    const { admin, path } = await weavers();
    await admin('POST', path, TOKEN);
    await Promise.all(Array.from({ length: 8 }, (_, n) => admin('PUT', `${path}/GITHUB_TOKEN`, { value: `v${n}` })));
    expect((await admin('GET', `${path}/GITHUB_TOKEN`)).body).toMatchObject({ version: 9 });
  });

  it('have a name once, also when two are created at once', async () => {
    const { admin, path } = await weavers();
    const answers = await Promise.all([1, 2, 3].map(() => admin('POST', path, TOKEN)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ code: 'secret_exists' });
  });

  it.each([
    '',
    'a-b',
    'a b',
    'é',
    '$A',
    'x'.repeat(65),
    'alias',
    'ACCESS_TOKEN',
    'artifact_metadata',
    'run_name',
    7,
    null,
  ])('are not called %j', async (name) => {
    const { admin, path } = await weavers();
    const refused = await admin('POST', path, { name, value: 'x' });
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'name'] }] } });
  });

  it.each(['Alias', 'access_token', '_', '9', 'x'.repeat(64)])('may be called %s', async (name) => {
    const { admin, path } = await weavers();
    expect((await admin('POST', path, { name, value: 'x' })).status).toBe(201);
  });

  it('never stand in a refusal', async () => {
    const { admin, path } = await weavers();
    for (const value of ['hunter2'.repeat(2000), ['hunter2'], { hunter2: 'hunter2' }, 'hunter2\ud83d', undefined]) {
      const refused = await admin('POST', path, { name: 'A', value });
      expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'value'] }] } });
      expect(JSON.stringify(refused.body)).not.toContain('hunter2');
    }
  });

  it('are for administrators of the team: members learn which role they lack, others nothing', async () => {
    const { admin, member, stranger, path, team } = await weavers();
    await admin('POST', path, TOKEN);
    const requests: Parameters<Ask>[] = [
      ['GET', path],
      ['POST', path, { name: 'B', value: 'x' }],
      ['GET', `${path}/GITHUB_TOKEN`],
      ['PUT', `${path}/GITHUB_TOKEN`, { value: 'stolen' }],
      ['DELETE', `${path}/GITHUB_TOKEN`],
    ];
    for (const request of requests) {
      expect(await member(...request)).toMatchObject({
        status: 403,
        body: { code: 'missing_role', detail: `You need the role 'admin' in team '${team.name}'` },
      });
      expect(await stranger(...request)).toMatchObject({ status: 404, body: { code: 'entity_not_found' } });
    }
    expect((await admin('GET', `${path}/GITHUB_TOKEN`)).body).toMatchObject({ version: 1 });
  });

  it('are deleted when no webhook uses them: the refusal names those that do', async () => {
    const { admin, path, webhooks } = await weavers();
    await admin('POST', path, TOKEN);
    const hook = { url_endpoint: 'http://127.0.0.1:9/', access_token_ref: 'GITHUB_TOKEN' };
    const { body } = await admin('POST', webhooks, { ...hook, name: 'dispatch' });
    await admin('POST', webhooks, { ...hook, name: 'chat', access_token_ref: null, secret_ref: 'GITHUB_TOKEN' });
    const refused = await admin('DELETE', `${path}/GITHUB_TOKEN`);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'secret_in_use', detail: expect.stringContaining("'chat', 'dispatch'") },
    });
    await admin('PATCH', `${webhooks}/${String(body['id'])}`, { access_token_ref: null });
    expect((await admin('DELETE', `${path}/GITHUB_TOKEN`)).body).toMatchObject({ code: 'secret_in_use' });
    const left = (await admin('GET', webhooks)).body['data'] as { id: string }[];
    for (const { id } of left) await admin('DELETE', `${webhooks}/${id}`);
    expect((await admin('DELETE', `${path}/GITHUB_TOKEN`)).status).toBe(204);
    expect((await admin('DELETE', `${path}/GITHUB_TOKEN`)).status).toBe(404);
  });

  it('stay fit for what webhooks use them for', async () => {
    const { admin, path, webhooks } = await weavers();
    await admin('POST', path, TOKEN);
    await admin('POST', path, { name: 'SIGNING', value: 'any text\n' });
    const hook = {
      name: 'a',
      url_endpoint: 'http://127.0.0.1:9/',
      access_token_ref: 'GITHUB_TOKEN',
      secret_ref: 'SIGNING',
    };
    await admin('POST', webhooks, hook);
    const broken = await admin('PUT', `${path}/GITHUB_TOKEN`, { value: 'line\nbreak' });
    expect(broken).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'value'], type: 'is_visible_ascii' }] },
    });
    const garbled = await admin('PUT', `${path}/SIGNING`, { value: 'whsec_!' });
    expect(garbled).toMatchObject({ status: 422, body: { detail: [{ type: 'is_base64' }] } });
    expect((await admin('PUT', `${path}/SIGNING`, { value: 'two\nlines' })).status).toBe(200);
  });

  it('are not stored in a server without a key', async () => {
    const keyless = await startApi();
    const team = await keyless.given.team();
    const admin = as(keyless, await keyless.given.user({ teams: [{ ...team, role: 'admin' }] }));
    expect(await admin('POST', `/v1/teams/${team.name}/secrets`, TOKEN)).toMatchObject({
      status: 503,
      body: { code: 'secrets_key_missing', detail: expect.stringContaining('SECRETS_KEY') },
    });
    await keyless.close();
  });
});
