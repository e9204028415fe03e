import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.js';
import { as, type Ask, pluck } from '../accounts/requests.js';
import { Receiver } from '../../support/receiver.js';

const URL_ENDPOINT = 'http://127.0.0.1:9/hook';

describe('Webhooks', () => {
  let api: TestApi;
  beforeAll(async () => {
    const SECRETS_KEY = randomBytes(32).toString('base64');
    api = await startApi({ SECRETS_KEY, WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8' });
  });
  afterAll(() => api.close());

  async function weavers() {
    const team = await api.given.team();
    const ada = await api.given.user({ teams: [{ ...team, role: 'admin' }] });
    const admin = as(api, ada);
    await admin('POST', `/v1/teams/${team.name}/secrets`, { name: 'TOKEN', value: 'ghp_t0ken' });
    await admin('POST', `/v1/teams/${team.name}/secrets`, { name: 'SIGNING', value: 'any text\n' });
    await admin('POST', `/v1/teams/${team.name}/secrets`, { name: 'GARBLED', value: 'whsec_!' });
    return {
      team,
      username: ada.username,
      path: `/v1/teams/${team.name}/webhooks`,
      admin,
      member: as(api, await api.given.user({ teams: [team] })),
      stranger: as(api, await api.given.member()),
    };
  }

  it('are registered, enabled unless told otherwise', async () => {
    const { admin, path, username } = await weavers();
    const hook = { name: 'dispatch', url_endpoint: URL_ENDPOINT, access_token_ref: 'TOKEN', secret_ref: 'SIGNING' };
    const created = await admin('POST', path, hook);
    expect(created).toMatchObject({ status: 201 });
    expect(created.body).toEqual({
      ...hook,
      id: expect.any(String),
      enabled: true,
      disabled_reason: null,
      consecutive_failures: 0,
      failing_since: null,
      paused_until: null,
      last_success_at: null,
      created_at: expect.any(String),
      created_by: username,
      updated_at: expect.any(String),
      updated_by: username,
    });
    expect((await admin('GET', `${path}/${String(created.body['id'])}`)).body).toEqual(created.body);
    const bare = await admin('POST', path, { name: 'chat', url_endpoint: URL_ENDPOINT, enabled: false });
    expect(bare.body).toMatchObject({
      access_token_ref: null,
      secret_ref: null,
      enabled: false,
      disabled_reason: 'admin',
    });
    expect(pluck(await admin('GET', path), 'name')).toEqual(['dispatch', 'chat']);
  });

  it.each<[string, object, string]>([
    ['name', { name: '' }, 'min_length'],
    ['name', { name: undefined }, 'missing'],
    ['url_endpoint', { url_endpoint: 'ftp://127.0.0.1/' }, 'invalid_url'],
    ['url_endpoint', { url_endpoint: 'http://8.8.8.8/' }, 'https_required'],
    ['url_endpoint', { url_endpoint: 'https://8.8.8.8:25/' }, 'blocked_port'],
    ['url_endpoint', { url_endpoint: 'https://10.0.0.1/' }, 'blocked_address'],
    ['url_endpoint', { url_endpoint: 'http://169.254.169.254/' }, 'blocked_address'],
    ['url_endpoint', { url_endpoint: 'https://metadata.google.internal/' }, 'blocked_host'],
    ['url_endpoint', { url_endpoint: 'https://ada:hunter2@127.0.0.1/' }, 'userinfo_not_allowed'],
    ['url_endpoint', { url_endpoint: 7 }, 'matches'],
    ['access_token_ref', { access_token_ref: 'NOTHING' }, 'secret_not_found'],
    ['access_token_ref', { access_token_ref: 'SIGNING' }, 'is_visible_ascii'],
    ['secret_ref', { secret_ref: 'NOTHING' }, 'secret_not_found'],
    ['secret_ref', { secret_ref: 'GARBLED' }, 'is_base64'],
    ['enabled', { enabled: 'yes' }, 'is_boolean'],
    ['enabled', { enabled: null }, 'is_boolean'],
  ])('are refused with a bad %s: %j', async (field, change, type) => {
    const { admin, path } = await weavers();
    const good = { name: 'a', url_endpoint: URL_ENDPOINT };
    const created = await admin('POST', path, { ...good, ...change });
    expect(created).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', field] }] } });
    if (type !== 'matches') expect(created.body).toMatchObject({ detail: [{ type }] });
    expect(JSON.stringify(created.body)).not.toMatch(/hunter2|any text/);
    if (type === 'missing') return;
    const { body } = await admin('POST', path, good);
    expect((await admin('PATCH', `${path}/${String(body['id'])}`, change)).status).toBe(422);
    expect((await admin('GET', `${path}/${String(body['id'])}`)).body).toEqual(body);
  });

  it('keep by PATCH what it does not name', async () => {
    const { admin, path } = await weavers();
    const hook = { name: 'a', url_endpoint: URL_ENDPOINT, access_token_ref: 'TOKEN', secret_ref: 'SIGNING' };
    const { body } = await admin('POST', path, hook);
    const one = `${path}/${String(body['id'])}`;
    expect((await admin('PATCH', one, { name: 'b' })).body).toMatchObject({ ...hook, name: 'b', enabled: true });
    expect((await admin('PATCH', one, { access_token_ref: null })).body).toMatchObject({
      access_token_ref: null,
      secret_ref: 'SIGNING',
    });
    expect((await admin('PATCH', one, {})).body).toMatchObject({ name: 'b', secret_ref: 'SIGNING' });
    expect((await admin('PATCH', one, { enabled: false })).body).toMatchObject({ disabled_reason: 'admin' });
  });

  it('forget their failures when they are enabled again', async () => {
    const { admin, path } = await weavers();
    const { body } = await admin('POST', path, { name: 'a', url_endpoint: URL_ENDPOINT });
    await api.database.pool.query(
      `UPDATE webhooks SET enabled = false, disabled_reason = 'failing', consecutive_failures = 9, failing_since = now(),
         paused_until = now() WHERE id = $1`,
      [body['id']],
    );
    const one = `${path}/${String(body['id'])}`;
    expect((await admin('PATCH', one, { name: 'b' })).body).toMatchObject({ disabled_reason: 'failing' });
    expect((await admin('PATCH', one, { enabled: true })).body).toMatchObject({
      enabled: true,
      disabled_reason: null,
      consecutive_failures: 0,
      failing_since: null,
      paused_until: null,
    });
  });

  it('have a name once in their team, also when two are registered at once', async () => {
    const { admin, path } = await weavers();
    const hook = { name: 'a', url_endpoint: URL_ENDPOINT };
    const answers = await Promise.all([1, 2, 3].map(() => admin('POST', path, hook)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const { body } = await admin('POST', path, { ...hook, name: 'b' });
    expect(await admin('PATCH', `${path}/${String(body['id'])}`, { name: 'a' })).toMatchObject({
      status: 409,
      body: { code: 'webhook_exists' },
    });
    expect((await admin('PATCH', `${path}/${String(body['id'])}`, { name: 'b' })).status).toBe(200);
  });

  it('are at most 100 in a team', async () => {
    const { admin, path, team } = await weavers();
    await api.database.pool.query(
      `INSERT INTO webhooks (team_id, name, url_endpoint, enabled, created_by, updated_by)
       SELECT $1, 'w' || n, 'https://example.com/', true, 'ada', 'ada' FROM generate_series(1, 99) n`,
      [team.id],
    );
    const hook = { url_endpoint: URL_ENDPOINT };
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => admin('POST', path, { ...hook, name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('are for administrators of the team: members learn which role they lack, others nothing', async () => {
    const { admin, member, stranger, path } = await weavers();
    const { body } = await admin('POST', path, { name: 'a', url_endpoint: URL_ENDPOINT });
    const one = `${path}/${String(body['id'])}`;
    const requests: Parameters<Ask>[] = [
      ['GET', path],
      ['POST', path, { name: 'b', url_endpoint: URL_ENDPOINT }],
      ['GET', one],
      ['PATCH', one, { name: 'c' }],
      ['POST', `${one}/test`, {}],
      ['DELETE', one],
    ];
    for (const request of requests) {
      expect(await member(...request)).toMatchObject({ status: 403, body: { code: 'missing_role' } });
      expect(await stranger(...request)).toMatchObject({ status: 404, body: { code: 'entity_not_found' } });
    }
    expect((await admin('GET', one)).body).toEqual(body);
  });

  it("are another team's to nobody, not even by their id", async () => {
    const { admin, path } = await weavers();
    const others = await weavers();
    const { body } = await others.admin('POST', others.path, { name: 'a', url_endpoint: URL_ENDPOINT });
    for (const id of [String(body['id']), randomUUID()]) {
      const missing = { status: 404, body: { code: 'webhook_not_found' } };
      expect(await admin('GET', `${path}/${id}`)).toMatchObject(missing);
      expect(await admin('PATCH', `${path}/${id}`, { name: 'b' })).toMatchObject(missing);
      expect(await admin('DELETE', `${path}/${id}`)).toMatchObject(missing);
      expect(await admin('POST', `${path}/${id}/test`, {})).toMatchObject(missing);
    }
  });

  describe('under test', () => {
    async function tested(answer?: Parameters<typeof Receiver.start>[0]) {
      const receiver = await Receiver.start(answer);
      const { admin, path, team, username } = await weavers();
      const hook = { name: 'a', access_token_ref: 'TOKEN', secret_ref: 'SIGNING', enabled: false };
      const url_endpoint = `http://127.0.0.1:${receiver.port}/hook`;
      const { body } = await admin('POST', path, { ...hook, url_endpoint });
      const one = `${path}/${String(body['id'])}`;
      return { admin, one, receiver, team, username, webhook: body };
    }

    it('send one request, as a delivery is sent, and show the answer', async () => {
      const { admin, one, receiver, team, username } = await tested((response) =>
        response.writeHead(202, { 'x-id': '7' }).end('{"ok":true}'),
      );
      const payload = {
        by: '${event_author}',
        in: '${entity_name}',
        token: '${ACCESS_TOKEN}',
        key: '$SIGNING',
        alias: '${alias}',
      };
      const answer = await admin('POST', `${one}/test`, { payload });
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.body).toEqual({
        outcome: 'delivered',
        status: 202,
        headers: expect.objectContaining({ 'x-id': '7' }),
        body: '{"ok":true}',
        error: null,
        error_code: null,
        duration_ms: expect.any(Number),
      });
      expect(JSON.parse(receiver.last.body.toString())).toEqual({
        by: username,
        in: team.name,
        token: 'ghp_t0ken',
        key: 'any text\n',
        alias: '',
      });
      expect(receiver.last.headers).toMatchObject({
        'content-type': 'application/json',
        authorization: 'Bearer ghp_t0ken',
        'webhook-signature': expect.stringMatching(/^v1,/),
      });
      await receiver.close();
    });

    it('send {} without a payload, and text as it is given', async () => {
      const { admin, one, receiver } = await tested();
      await admin('POST', `${one}/test`);
      await admin('POST', `${one}/test`, { payload: null });
      await admin('POST', `${one}/test`, { payload: ' [ 1.0, ${alias} ]' });
      expect(receiver.requests.map(({ body }) => body.toString())).toEqual(['{}', '{}', ' [ 1.0, null ]']);
      await receiver.close();
    });

    it('are not sent a payload that is wrong: the answer says where', async () => {
      const { admin, one, receiver } = await tested();
      const refused = await admin('POST', `${one}/test`, { payload: '{\n "a": "${aliass}"}' });
      expect(refused).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'payload'], type: 'unknown_variable', ctx: { line: 2, column: 8 } }] },
      });
      for (const payload of ['{', 'text', 7, [], { a: '${TOKEN}' }]) {
        expect((await admin('POST', `${one}/test`, { payload })).status).toBe(422);
      }
      expect(receiver.connections).toBe(0);
      await receiver.close();
    });

    it('answer with what went wrong, and are not changed by it, nor is the payload stored', async () => {
      const { admin, one, receiver, webhook } = await tested((response) => response.writeHead(410).end('gone'));
      const failed = await admin('POST', `${one}/test`, { payload: { marker: 'payload-of-a-test' } });
      expect(failed).toMatchObject({
        status: 200,
        body: { outcome: 'failed', status: 410, body: 'gone', error_code: 'http_error' },
      });
      await receiver.close();
      const refused = await admin('POST', `${one}/test`, {});
      expect(refused.body).toMatchObject({
        outcome: 'failed',
        status: null,
        body: null,
        error_code: 'connection_refused',
      });
      expect((await admin('GET', one)).body).toEqual(webhook);
      const { rows } = await api.database.pool.query('SELECT w::text AS row FROM webhooks w');
      expect(JSON.stringify(rows)).not.toContain('payload-of-a-test');
    });

    it('show an answer that echoes the request without the secrets', async () => {
      const { admin, one, receiver } = await tested((response, { headers, body }) =>
        response.writeHead(500, { 'x-echo': headers.authorization }).end(body),
      );
      const payload = { token: 'x${ACCESS_TOKEN}y', key: '$SIGNING' };
      const { body } = await admin('POST', `${one}/test`, { payload });
      expect(body).toMatchObject({ headers: { 'x-echo': 'Bearer ***' }, body: '{"token":"x***y","key":"***"}' });
      await receiver.close();
    });
  });
});
