import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Env } from '@heddle/config';
import { PruneAuditHandler } from '@heddle/audit';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';
import { type Ask, as, pluck } from '../accounts/requests.js';

describe('the audit log', () => {
  let api: TestApi;
  let team: { id: string; name: string };
  let ada: GivenUser;
  let ask: Ask;
  let instance: Ask;
  beforeAll(async () => {
    api = await startApi({ SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'), WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8' });
    team = await api.given.team('weavers');
    ada = await api.given.user({ username: 'ada', teams: [{ id: team.id, role: 'admin' }] });
    ask = as(api, ada);
    instance = as(api, await api.given.user({ username: 'root', isAdmin: true }));
  });
  afterAll(() => api.close());

  const list = (query = '', by = ask) => by('GET', `/v1/audit-log?${query}`);
  const newest = async (query = ''): Promise<Record<string, unknown>> =>
    ((await list(`limit=1&${query}`)).body['data'] as Record<string, unknown>[])[0]!;

  it('says who did what, when and where, and no values', async () => {
    const body = { name: 'SIGNING', value: 'canary-of-the-secret' };
    const { headers } = await ask('POST', '/v1/teams/weavers/secrets', body);
    expect(await newest()).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      ...{ actor: 'ada', team: 'weavers', action: 'Secrets_create', method: 'POST', path: '/v1/teams/weavers/secrets' },
      ...{ fields: ['name', 'value'], subject: expect.any(String), outcome: 'DONE' },
      request_id: headers.get('x-request-id'),
    });
    const { rows } = await api.database.pool.query('SELECT * FROM audit_entries');
    expect(JSON.stringify(rows)).not.toContain('canary');
  });

  it('knows the team of what only its id names', async () => {
    await ask('POST', '/v1/projects', { entity: 'weavers', name: 'loom' });
    const webhook = { name: 'deploy', url_endpoint: 'http://127.0.0.1:1/' };
    const { id: webhook_id } = (await ask('POST', '/v1/teams/weavers/webhooks', webhook)).body;
    const made = await ask('POST', '/v1/automations', {
      name: 'promoted',
      scope: { scope_type: 'PROJECT', scope_id: 'weavers/loom' },
      event: { event_type: 'ADD_ARTIFACT_ALIAS', filter: { alias_regex: 'prod' } },
      action: { team: 'weavers', webhook_id },
    });
    const path = `/v1/automations/${String(made.body['id'])}`;
    await ask('PATCH', path, { enabled: false });
    expect(await newest()).toMatchObject({ team: 'weavers', action: 'Automations_update', path, fields: ['enabled'] });
    await ask('DELETE', `${path}?confirm=promoted`);
    expect(await newest()).toMatchObject({ team: 'weavers', action: 'Automations_delete', path, outcome: 'DONE' });
  });

  it('keeps what somebody may not do, and nothing of what was not valid or only read', async () => {
    const ben = await api.given.user({ username: 'ben', teams: [{ id: team.id }] });
    const before = pluck(await list('limit=100'), 'id');
    expect((await as(api, ben)('POST', '/v1/teams/weavers/secrets', { name: 'X', value: 'y' })).status).toBe(403);
    expect((await ask('POST', '/v1/teams/weavers/secrets', { nme: 'X' })).status).toBe(422);
    expect((await ask('DELETE', '/v1/teams/weavers/secrets/NOTHING')).status).toBe(404);
    await ask('GET', '/v1/projects');
    expect(pluck(await list('limit=100'), 'id').length).toBe(before.length + 1);
    expect(await newest()).toMatchObject({ actor: 'ben', outcome: 'REFUSED' });
  });

  it("is read by a team's administrators for their team, and by those of the instance", async () => {
    await instance('POST', '/v1/users', { username: 'cleo' });
    expect(pluck(await list('action=Users_create'), 'id')).toEqual([]);
    expect(pluck(await list('action=Users_create', instance), 'subject')).toHaveLength(1);
    expect(pluck(await list('actor=ada&limit=1', instance), 'team')).toEqual(['weavers']);
    const outsider = as(api, await api.given.member());
    const [unasked, asked] = [await list('', outsider), await list('team=weavers', outsider)];
    expect([unasked.status, asked.status]).toEqual([403, 404]);
  });

  it('is written for what people change of traces, and not for what programs send', async () => {
    const start = {
      project_id: 'weavers/loom',
      op_name: 'f',
      started_at: '2026-01-01T00:00:00Z',
      attributes: {},
      inputs: {},
    };
    const { body } = await ask('POST', '/call/start', { start });
    await ask('POST', '/calls/delete', { project_id: 'weavers/loom', call_ids: [body['id']] });
    const since = pluck(await list('limit=2'), 'action');
    expect(since[0]).toBe('Calls_delete');
    expect(since[1]).not.toContain('Ingest');
  });

  it('is kept for AUDIT_RETENTION_DAYS', async () => {
    const { rows } = await api.database.pool.query<{ id: string }>(
      "UPDATE audit_entries SET created_at = now() - interval '366 days' WHERE action = 'Users_create' RETURNING id",
    );
    const before = pluck(await list('limit=100', instance), 'id');
    await new PruneAuditHandler(api.database.pool, Env.from({ NODE_ENV: 'test' })).handle();
    const after = pluck(await list('limit=100', instance), 'id');
    expect(before.filter((id) => !after.includes(id))).toEqual(rows.map(({ id }) => id));
  });
});
