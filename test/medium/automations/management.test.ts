import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GivenUser } from '../../support/given.js';
import type { Receiver } from '../../support/receiver.js';
import { AutomationsSystem } from './automations-system.js';

type Json = Record<string, unknown>;
type Details = { detail: { loc: string[]; msg: string; type: string; ctx?: Json }[] };

describe('/v1/automations', () => {
  let t: AutomationsSystem;
  let receiver: Receiver;
  let webhookId: string;
  beforeAll(async () => {
    t = await AutomationsSystem.start({ AUTOMATIONS_PER_SCOPE: '40' });
    receiver = await t.receiver();
    await t.ask('POST', `/v1/teams/${t.team.name}/secrets`, { name: 'HOOK', value: 'canary-secret' });
    webhookId = await t.webhook(receiver.port, { secret_ref: 'HOOK' });
  });
  afterAll(() => t.close());

  const action = (fields: Json = {}): Json => ({ team: t.team.name, webhook_id: webhookId, ...fields });
  const create = (fields: Json = {}, eventType?: string, filter?: Json) =>
    t.ask('POST', '/v1/automations', t.automationBody({ action: action(), ...fields }, eventType, filter));

  /** Where, and what kind of problem. */
  async function problems(fields: Json, eventType?: string, filter?: Json): Promise<string[][]> {
    const { status, body } = await create(fields, eventType, filter);
    expect(status).toBe(422);
    return (body as unknown as Details).detail.map(({ loc, type }) => [loc.join('.'), type]);
  }

  it('creates one, shows it, and accepts either name of the action type', async () => {
    const request_payload = { text: '${alias}', secret: '$HOOK' };
    const { status, body } = await create({
      description: 'why',
      action: action({ action_type: 'GENERIC_WEBHOOK', request_payload }),
    });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: expect.stringContaining('automation-'),
        description: 'why',
        enabled: true,
        scope: { scope_type: 'PROJECT', scope_id: t.project },
        event: { event_type: 'ADD_ARTIFACT_ALIAS', filter: { alias_regex: 'prod' } },
        action: { action_type: 'Webhooks', ...action(), request_payload: JSON.stringify(request_payload) },
        ...{ created_by: t.admin.username, created_at: expect.any(String) },
        ...{ updated_by: t.admin.username, updated_at: expect.any(String) },
      },
    ]);
    expect((await t.ask('GET', `/v1/automations/${String(body['id'])}`)).body).toEqual(body);
    expect(JSON.stringify(body)).not.toContain('canary');
  });

  it('lists by page, by scope, and by whether they are enabled', async () => {
    await create({ enabled: false, name: 'asleep' });
    await create({ scope: { scope_type: 'REGISTRY', scope_id: t.registry }, name: 'in the registry' });
    const names = async (query: string): Promise<unknown[]> =>
      ((await t.ask('GET', `/v1/automations?limit=100&${query}`)).body['data'] as Json[]).map(({ name }) => name);
    expect(await names('enabled=false')).toEqual(['asleep']);
    expect(await names(`scope_type=REGISTRY&scope_id=${t.registry}`)).toEqual(['in the registry']);
    const { body } = await t.ask('GET', '/v1/automations?limit=1');
    expect(body).toMatchObject({ has_more: true });
    expect(await names(`after=${String(body['last_id'])}`)).toHaveLength((await names('')).length - 1);
    expect((await t.ask('GET', '/v1/automations?scope_type=PROJECT')).status).toBe(422);
  });

  it('changes what PATCH names, and keeps the rest: each input of the filter too', async () => {
    const filter = { alias_regex: '^prod', collection_regex: 'chat', artifact_type: 'model' };
    const { body } = await create(
      { description: 'why', action: action({ request_payload: { a: 1 } }) },
      undefined,
      filter,
    );
    const patch = async (changes: Json): Promise<Json> =>
      (await t.ask('PATCH', `/v1/automations/${String(body['id'])}`, changes)).body;
    expect(await patch({ enabled: false })).toMatchObject({ enabled: false, description: 'why', event: { filter } });
    const changed = await patch({ name: 'new', event: { filter: { alias_regex: '^live', artifact_type: null } } });
    expect(changed).toMatchObject({
      name: 'new',
      enabled: false,
      event: { event_type: 'ADD_ARTIFACT_ALIAS', filter: { alias_regex: '^live', collection_regex: 'chat' } },
      action: { request_payload: '{"a":1}' },
    });
    expect((changed['event'] as { filter: Json }).filter).not.toHaveProperty('artifact_type');
    expect(await patch({ event: { event_type: 'ADD_ARTIFACT_TAG' } })).toMatchObject({
      detail: [{ loc: ['body', 'event', 'filter', 'alias_regex'], type: 'unknown_field' }],
    });
    const retyped = await patch({
      event: { event_type: 'ADD_ARTIFACT_TAG', filter: { alias_regex: null, tag_regex: 'x' } },
    });
    expect(retyped).toMatchObject({ event: { filter: { tag_regex: 'x', collection_regex: 'chat' } } });
    expect(await patch({ scope: { scope_type: 'REGISTRY', scope_id: t.registry } })).toMatchObject({
      detail: [{ type: 'fixed' }],
    });
  });

  it('is deleted with its name for confirmation only', async () => {
    const { body } = await create({ name: 'Deploy & tell' });
    const path = `/v1/automations/${String(body['id'])}`;
    expect((await t.ask('DELETE', path)).status).toBe(409);
    expect((await t.ask('DELETE', `${path}?confirm=deploy`)).status).toBe(409);
    expect((await t.ask('DELETE', `${path}?confirm=${encodeURIComponent('Deploy & tell')}`)).status).toBe(204);
    expect((await t.ask('GET', path)).status).toBe(404);
  });

  it.each<[string, Json, string | undefined, Json | undefined, string[][]]>([
    ['no name', { name: '' }, undefined, undefined, [['body.name', 'minLength_error']]],
    ['a pattern that is missing', {}, 'ADD_ARTIFACT_ALIAS', {}, [['body.event.filter.alias_regex', 'missing']]],
    [
      'an input of another event',
      {},
      'RUN_STATE',
      { states: ['FAILED'], tag_regex: 'x' },
      [['body.event.filter.tag_regex', 'unknown_field']],
    ],
    ['an unknown state', {}, 'RUN_STATE', { states: ['PAUSED'] }, [['body.event.filter.states.0', 'enum_error']]],
    [
      'a window of nothing',
      {},
      'RUN_METRIC',
      { name: 'a', cmp_op: '>', threshold: 1, window_size: 0 },
      [['body.event.filter.window_size', 'minimum_error']],
    ],
    [
      'an unknown comparison',
      {},
      'RUN_METRIC',
      { name: 'a', cmp_op: '=>', threshold: 1 },
      [['body.event.filter.cmp_op', 'enum_error']],
    ],
    ['an unknown event', {}, 'RUN_DELETED', {}, [['body.event.event_type', 'enum_error']]],
    [
      'an unknown webhook',
      { action: { team: 'TEAM', webhook_id: '5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11' } },
      undefined,
      undefined,
      [['body.action.webhook_id', 'webhook_not_found']],
    ],
  ])('refuses %s, and says where', async (_, fields, eventType, filter, expected) => {
    const { action: given } = fields as { action?: Json };
    const named = given ? { ...fields, action: { ...given, team: t.team.name } } : fields;
    expect(await problems(named, eventType, filter)).toEqual(expected);
  });

  it.each(['(', '(?=look)', '(a)\\1', 'a{2000}', '((a{100}){100}){100}', '[z-a]'])(
    'refuses the pattern %s, which RE2 does not take',
    async (pattern) => {
      expect(await problems({}, 'ADD_ARTIFACT_ALIAS', { alias_regex: pattern })).toEqual([
        ['body.event.filter.alias_regex', 'pattern'],
      ]);
    },
  );

  it('refuses a payload that names an unknown variable, with its position', async () => {
    const { status, body } = await create({ action: action({ request_payload: '{\n  "a": "${nobody}"}' }) });
    expect(status).toBe(422);
    expect((body as unknown as Details).detail).toMatchObject([
      { loc: ['body', 'action', 'request_payload'], type: 'unknown_variable', ctx: { line: 2, column: 9 } },
    ]);
  });

  it.each(['CREATE_ARTIFACT', 'RUN_STATE', 'RUN_ALERT', 'RUN_METRIC', 'RUN_METRIC_NOT_FINITE', 'TRAINING_JOB_STATE'])(
    'refuses %s in a registry, where it does not happen',
    async (eventType) => {
      const scope = { scope_type: 'REGISTRY', scope_id: t.registry };
      expect(await problems({ scope }, eventType, {})).toEqual([['body.event.event_type', 'event_not_in_scope']]);
    },
  );

  it('caps the automations of a scope', async () => {
    const scope = { scope_type: 'TEAM', scope_id: t.team.name };
    for (let i = 0; i < 40; i++) expect((await create({ scope })).status).toBe(201);
    const { status, body } = await create({ scope });
    expect([status, body['code']]).toEqual([409, 'too_many_automations']);
  });

  describe('for people of each role', () => {
    let people: Record<string, GivenUser>;
    let paths: Record<string, string>;
    beforeAll(async () => {
      const member = await t.given.user({ teams: [t.team] });
      const projectAdmin = await t.given.user({ teams: [t.team] });
      const registryAdmin = await t.given.user({ teams: [t.team] });
      await t.ask('PUT', `/v1/projects/${t.project}/members/${projectAdmin.username}`, { role: 'admin' });
      await t.ask('PUT', `/v1/registries/${t.registry}/members/${registryAdmin.username}`, { role: 'admin' });
      people = {
        'team admin': t.admin,
        'project admin': projectAdmin,
        'registry admin': registryAdmin,
        member,
        stranger: await t.given.member(),
      };
      await t.database.pool.query('DELETE FROM automations');
      const scopes = { PROJECT: t.project, REGISTRY: t.registry, TEAM: t.team.name };
      paths = {};
      for (const [scope_type, scope_id] of Object.entries(scopes)) {
        const { body } = await create({ scope: { scope_type, scope_id } });
        paths[scope_type] = `/v1/automations/${String(body['id'])}`;
      }
    });

    it.each([
      ['team admin', 'PROJECT', 200],
      ['team admin', 'REGISTRY', 200],
      ['team admin', 'TEAM', 200],
      ['project admin', 'PROJECT', 200],
      ['project admin', 'REGISTRY', 403],
      ['project admin', 'TEAM', 403],
      ['registry admin', 'REGISTRY', 200],
      ['registry admin', 'PROJECT', 403],
      ['member', 'PROJECT', 403],
      ['member', 'REGISTRY', 403],
      ['member', 'TEAM', 403],
      ['stranger', 'PROJECT', 404],
      ['stranger', 'REGISTRY', 404],
      ['stranger', 'TEAM', 404],
    ])('a %s who changes one of scope %s gets %i', async (who, scope, expected) => {
      const ask = t.as(people[who]!);
      const path = paths[scope]!;
      const { status, body } = await ask('PATCH', path, { description: who });
      expect(status).toBe(expected);
      if (status === 403) expect(body['detail']).toContain("You need the role 'admin' in");
      const asked = await Promise.all([
        ask('POST', `${path}/evaluate`, {}),
        ask('DELETE', `${path}?confirm=wrong`),
        ask('GET', path),
        ask('GET', `${path}/executions`),
      ]);
      const reading = expected === 404 ? 404 : 200;
      expect(asked.map((answer) => answer.status)).toEqual([
        expected,
        expected === 200 ? 409 : expected,
        reading,
        reading,
      ]);
    });

    it("uses a webhook of a team that one is a member of: another team's is not found", async () => {
      const other = await t.given.team();
      const body = t.automationBody({ action: { team: other.name, webhook_id: webhookId } });
      expect((await t.ask('POST', '/v1/automations', body)).status).toBe(404);
      const asProjectAdmin = await t.as(people['project admin']!)(
        'POST',
        '/v1/automations',
        t.automationBody({ action: action() }),
      );
      expect(asProjectAdmin.status).toBe(201);
    });

    it('tells a stranger nothing of executions and webhooks', async () => {
      const ask = t.as(people['stranger']!);
      await t.publish(await t.aliasEvent());
      const { body } = await t.ask('GET', `${paths['PROJECT']!}/executions`);
      const [{ id }] = body['data'] as [{ id: string }];
      const answers = await Promise.all([
        ask('GET', `/v1/executions/${id}`),
        ask('GET', `/v1/executions/${id}/attempts`),
        ask('POST', `/v1/executions/${id}/redeliver`),
        ask('POST', `/v1/webhooks/${webhookId}/recover`, { since: '2020-01-01T00:00:00Z' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      expect(JSON.stringify(answers.map((answer) => answer.body))).not.toContain(t.team.name);
      const member = t.as(people['member']!);
      expect((await member('GET', `/v1/executions/${id}`)).status).toBe(200);
      expect((await member('GET', `/v1/executions/${id}/attempts`)).status).toBe(403);
      expect(
        (await member('POST', `/v1/webhooks/${webhookId}/recover`, { since: '2020-01-01T00:00:00Z' })).status,
      ).toBe(403);
    });
  });
});
