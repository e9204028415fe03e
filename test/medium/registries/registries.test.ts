import { pluck } from '../accounts/requests.js';
import { RegistryApi } from './registry-api.js';

describe('registries', () => {
  let t: RegistryApi;
  beforeAll(async () => {
    t = await RegistryApi.start();
  });
  afterAll(() => t.close());

  it('are made by administrators of the team, with names unique in it', async () => {
    const fields = { entity: t.team.name, name: 'models', description: 'In use' };
    expect((await t.as(t.member)('POST', '/v1/registries', fields)).body['code']).toBe('missing_role');
    expect((await t.as(t.outsider)('POST', '/v1/registries', fields)).body['code']).toBe('entity_not_found');
    const { status, body } = await t.ask('POST', '/v1/registries', fields);
    expect([status, body]).toMatchObject([201, { ...fields, created_by: t.admin.username }]);
    expect((await t.ask('POST', '/v1/registries', fields)).body['code']).toBe('registry_exists');
  });

  it('are listed to those who have a role in them', async () => {
    const { name, path } = await t.registry();
    const query = `/v1/registries?order=desc&limit=1`;
    expect(pluck(await t.as(t.member)('GET', query), 'name')).toEqual([name]);
    expect(pluck(await t.as(t.outsider)('GET', query), 'name')).toEqual([]);
    await t.ask('PUT', `${path}/members/${t.outsider.username}`, { role: 'viewer' });
    expect(pluck(await t.as(t.outsider)('GET', query), 'name')).toEqual([name]);
    const ofTeam = `/v1/registries?entity=${t.team.name}`;
    expect(pluck(await t.as(t.outsider)('GET', ofTeam), 'name')).toEqual([name]);
    expect((await t.as(await t.api.given.member())('GET', ofTeam)).status).toBe(404);
  });

  it('are described and deleted by their administrators', async () => {
    const { path } = await t.registry();
    await t.ask('PUT', `${path}/members/${t.member.username}`, { role: 'admin' });
    expect((await t.as(t.member)('PATCH', path, { description: 'New' })).body['description']).toBe('New');
    expect((await t.as(t.member)('DELETE', path)).status).toBe(204);
    expect((await t.ask('GET', path)).body['code']).toBe('registry_not_found');
  });

  it('make members of the team viewers, and grant other roles', async () => {
    const { path } = await t.registry();
    expect((await t.ask('GET', `${path}/members`)).body['data']).toEqual([
      { id: t.admin.id, username: t.admin.username, role: 'admin', source: 'team' },
      { id: t.member.id, username: t.member.username, role: 'viewer', source: 'team' },
    ]);
    const granted = await t.ask('PUT', `${path}/members/${t.member.username}`, { role: 'member' });
    expect(granted.body).toMatchObject({ role: 'member', source: 'grant' });
    expect((await t.ask('PUT', `${path}/members/${t.admin.username}`, { role: 'viewer' })).status).toBe(409);
    expect((await t.ask('DELETE', `${path}/members/${t.member.username}`)).status).toBe(204);
    expect((await t.ask('DELETE', `${path}/members/${t.member.username}`)).body['code']).toBe('member_not_found');
  });

  it.each([
    ['GET', '', undefined, { admin: 200, member: 200, viewer: 200, outsider: 404 }],
    ['PATCH', '', {}, { admin: 200, member: 403, viewer: 403, outsider: 404 }],
    ['GET', '/members', undefined, { admin: 200, member: 200, viewer: 200, outsider: 404 }],
    ['PUT', '/members/nobody', { role: 'viewer' }, { admin: 404, member: 403, viewer: 403, outsider: 404 }],
    ['DELETE', '/members/nobody', undefined, { admin: 404, member: 403, viewer: 403, outsider: 404 }],
    ['GET', '/collections', undefined, { admin: 200, member: 200, viewer: 200, outsider: 404 }],
    ['POST', '/collections', { name: 'agents', type: 'x' }, { admin: 409, member: 409, viewer: 403, outsider: 404 }],
    ['GET', '/collections/agents', undefined, { admin: 200, member: 200, viewer: 200, outsider: 404 }],
    ['PATCH', '/collections/agents', {}, { admin: 200, member: 200, viewer: 403, outsider: 404 }],
    ['PUT', '/collections/agents/tags/a', undefined, { admin: 200, member: 200, viewer: 403, outsider: 404 }],
    ['DELETE', '/collections/agents/tags/b', undefined, { admin: 404, member: 404, viewer: 403, outsider: 404 }],
    ['GET', '/collections/agents/versions', undefined, { admin: 200, member: 200, viewer: 200, outsider: 404 }],
    [
      'POST',
      '/collections/agents/versions',
      { artifact: 'REF' },
      { admin: 200, member: 200, viewer: 403, outsider: 404 },
    ],
    ['GET', '/collections/agents/versions/v0', undefined, { admin: 200, member: 200, viewer: 200, outsider: 404 }],
    [
      'PUT',
      '/collections/agents/versions/v0/aliases/a',
      undefined,
      { admin: 200, member: 200, viewer: 403, outsider: 404 },
    ],
    [
      'DELETE',
      '/collections/agents/versions/v0/aliases/b',
      undefined,
      { admin: 404, member: 404, viewer: 403, outsider: 404 },
    ],
    [
      'PUT',
      '/collections/agents/versions/v0/tags/a',
      undefined,
      { admin: 200, member: 200, viewer: 403, outsider: 404 },
    ],
    [
      'DELETE',
      '/collections/agents/versions/v0/tags/b',
      undefined,
      { admin: 404, member: 404, viewer: 403, outsider: 404 },
    ],
    ['DELETE', '/collections/agents/versions/v9', undefined, { admin: 404, member: 404, viewer: 403, outsider: 404 }],
    ['DELETE', '/collections/nothing', undefined, { admin: 404, member: 403, viewer: 403, outsider: 404 }],
  ])('answer %s %s by role', async (method, place, body, statuses) => {
    const { path, collection } = await t.registry();
    const { ref } = await t.artifact();
    await t.link(collection, ref);
    const editor = await t.api.given.user({ teams: [t.team] });
    await t.ask('PUT', `${path}/members/${editor.username}`, { role: 'member' });
    const callers = { admin: t.admin, member: editor, viewer: t.member, outsider: t.outsider };
    const sent = JSON.parse(JSON.stringify(body ?? null).replace('REF', ref)) as object | null;
    const answers: Record<string, number> = {};
    for (const [role, user] of Object.entries(callers)) {
      answers[role] = (await t.as(user)(method, path + place, sent ?? undefined)).status;
    }
    expect(answers).toEqual(statuses);
  });
});
