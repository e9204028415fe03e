import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GivenUser } from '../../support/given.js';
import { pluck } from '../accounts/requests.js';
import { AutomationsSystem, type GivenAutomation } from './automations-system.js';

/** The team's administrator asks as `t.ask`; nobody else here is an administrator of the team. */
describe('who sees what of automations', () => {
  let t: AutomationsSystem;
  let webhookId: string;
  let ofProject: GivenAutomation;
  let ofRegistry: GivenAutomation;
  let stranger: GivenUser;
  let projectAdmin: GivenUser;
  let registryViewer: GivenUser;
  beforeAll(async () => {
    t = await AutomationsSystem.start();
    const receiver = await t.receiver();
    webhookId = await t.webhook(receiver.port, { name: 'deploy' });
    ofProject = await t.automation(receiver, { webhookId });
    ofRegistry = await t.automation(receiver, { webhookId, scope: { scope_type: 'REGISTRY', scope_id: t.registry } });
    [stranger, projectAdmin, registryViewer] = [await t.given.user(), await t.given.user(), await t.given.user()];
    await t.ask('PUT', `/v1/projects/${t.project}/members/${projectAdmin.username}`, { role: 'admin' });
    await t.ask('PUT', `/v1/registries/${t.registry}/members/${registryViewer.username}`, { role: 'viewer' });
    await t.publish(await t.aliasEvent());
    await t.deliver();
  });
  afterAll(() => t.close());

  const ids = async (user: GivenUser, path: string, property = 'id') => pluck(await t.as(user)('GET', path), property);

  it('lists what was granted, and nothing else', async () => {
    expect(await ids(projectAdmin, '/v1/automations')).toEqual([ofProject.id]);
    expect(await ids(registryViewer, '/v1/automations')).toEqual([ofRegistry.id]);
    expect(await ids(stranger, '/v1/automations')).toEqual([]);
    expect(await ids(projectAdmin, '/v1/executions', 'automation_id')).toEqual([ofProject.id]);
    expect(await ids(registryViewer, '/v1/executions')).toEqual([]);
  });

  it('lists projects and registries that were granted, also by their team', async () => {
    for (const query of ['', `?entity=${t.team.name}`]) {
      expect(await ids(projectAdmin, `/v1/projects${query}`)).toEqual([t.project]);
      expect(await ids(registryViewer, `/v1/registries${query}`, 'name')).toEqual(['releases']);
    }
    for (const list of ['projects', 'registries']) {
      expect((await t.as(stranger)('GET', `/v1/${list}?entity=${t.team.name}`)).status).toBe(404);
    }
  });

  it('lets an administrator of a project choose among the webhooks of its team, without seeing where they lead', async () => {
    const ask = t.as(projectAdmin);
    const chosen = await ask('GET', `/v1/webhooks?team=${t.team.name}`);
    expect(chosen.body['data']).toEqual([{ id: webhookId, name: 'deploy', team: t.team.name, enabled: true }]);
    const action = { team: t.team.name, webhook_id: webhookId };
    expect((await ask('POST', '/v1/automations', t.automationBody({ action }))).status).toBe(201);
    expect(await ids(registryViewer, '/v1/webhooks')).toEqual([]);
    expect(await ids(stranger, '/v1/webhooks')).toEqual([]);
  });

  it("says nothing of what a stranger's id stands for", async () => {
    const { rows } = await t.database.pool.query<{ id: string }>('SELECT id FROM registries');
    const nobody = '00000000-0000-4000-8000-000000000000';
    const answers: unknown[] = [];
    for (const [type, id] of [
      ['REGISTRY', rows[0]!.id],
      ['TEAM', t.team.id],
      ['REGISTRY', nobody],
    ]) {
      const { status, body } = await t.as(stranger)('GET', `/v1/automations?scope_type=${type}&scope_id=${id}`);
      answers.push([status, body['code'], String(body['detail']).replace(id!, 'ID')]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(JSON.stringify(answers)).not.toContain(t.team.name);
  });

  it('lets viewers of a team read in all of its projects, and write in none', async () => {
    const viewer = await t.given.user();
    await t.ask('PUT', `/v1/teams/${t.team.name}/members/${viewer.username}`, { role: 'viewer' });
    const ask = t.as(viewer);
    expect(pluck(await ask('GET', '/v1/projects'), 'id')).toEqual([t.project]);
    expect(pluck(await ask('GET', `/v1/executions?scope_type=PROJECT&scope_id=${t.project}`), 'state')).toHaveLength(1);
    const writes: [string, string, unknown?][] = [
      ['POST', '/v1/projects', { entity: t.team.name, name: 'mine' }],
      ['POST', `/v1/projects/${t.project}/runs`, { name: 'r1' }],
      ['POST', `/v1/projects/${t.project}/artifacts`, { name: 'a', type: 'model' }],
      [
        'POST',
        '/call/start',
        {
          start: {
            project_id: `${t.team.name}/new`,
            op_name: 'f',
            started_at: '2026-01-01T00:00:00Z',
            attributes: {},
            inputs: {},
          },
        },
      ],
      ['PATCH', ofProject.path, { enabled: false }],
      ['POST', '/v1/registries', { entity: t.team.name, name: 'mine' }],
    ];
    const statuses: number[] = [];
    for (const [method, path, body] of writes) statuses.push((await ask(method, path, body)).status);
    expect(statuses).toEqual(writes.map(() => 403));
  });
});
