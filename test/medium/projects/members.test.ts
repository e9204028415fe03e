import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';
import { type Ask, as, pluck } from '../accounts/requests.js';

describe('members of a project', () => {
  let api: TestApi;
  let entity: string;
  let admin: GivenUser;
  let member: GivenUser;
  let outsider: GivenUser;
  let asAdmin: Ask;
  let asMember: Ask;
  let asOutsider: Ask;
  let path: string;
  let counter = 0;

  beforeAll(async () => {
    api = await startApi();
    const team = await api.given.team();
    entity = team.name;
    admin = await api.given.user({ teams: [{ id: team.id, role: 'admin' }] });
    member = await api.given.user({ teams: [team] });
    outsider = await api.given.member();
    [asAdmin, asMember, asOutsider] = [as(api, admin), as(api, member), as(api, outsider)];
  });
  afterAll(() => api.close());

  beforeEach(async () => {
    const name = `loom-${++counter}`;
    await asAdmin('POST', '/v1/projects', { entity, name });
    path = `/v1/projects/${entity}/${name}`;
  });

  const grant = (user: GivenUser, role: string) => asAdmin('PUT', `${path}/members/${user.username}`, { role });

  it('makes team administrators its administrators, and team members its members', async () => {
    const { body } = await asMember('GET', `${path}/members`);
    expect(body['data']).toEqual([
      { id: admin.id, username: admin.username, role: 'admin', source: 'team' },
      { id: member.id, username: member.username, role: 'member', source: 'team' },
    ]);
  });

  it('grants a role that wins over what the team gives, and takes it back', async () => {
    expect((await grant(member, 'admin')).body).toMatchObject({ role: 'admin', source: 'grant' });
    expect((await asMember('PUT', `${path}/members/${outsider.username}`, { role: 'viewer' })).status).toBe(200);
    expect((await asMember('DELETE', `${path}/members/${member.username}`)).status).toBe(204);
    expect((await asMember('PUT', `${path}/members/${outsider.username}`, { role: 'viewer' })).status).toBe(403);
  });

  it('lets a user from outside the team into this project, and no other', async () => {
    expect((await asOutsider('GET', path)).status).toBe(404);
    await grant(outsider, 'viewer');
    expect((await asOutsider('GET', path)).status).toBe(200);
    expect(pluck(await asOutsider('GET', `${path}/members`), 'source')).toEqual(['team', 'team', 'grant']);
    const other = await asOutsider('GET', `/v1/projects/${entity}/loom-other`);
    expect([other.status, other.body['code']]).toEqual([404, 'entity_not_found']);
    await asAdmin('DELETE', `${path}/members/${outsider.username}`);
    expect((await asOutsider('GET', path)).status).toBe(404);
  });

  it('pages its members', async () => {
    const first = await asAdmin('GET', `${path}/members?limit=1`);
    expect(first.body).toMatchObject({ has_more: true, last_id: admin.id });
    const second = await asAdmin('GET', `${path}/members?limit=1&after=${admin.id}`);
    expect(pluck(second, 'username')).toEqual([member.username]);
  });

  it('has no weaker role for an administrator of the team', async () => {
    const answer = await grant(admin, 'viewer');
    expect([answer.status, answer.body['code']]).toEqual([409, 'team_admin_role']);
    expect((await grant(admin, 'admin')).body).toMatchObject({ role: 'admin', source: 'team' });
  });

  it.each([
    ['GET', 'members', undefined, { admin: 200, member: 200, viewer: 200, outsider: 404 }],
    ['PUT', 'members/nobody', { role: 'viewer' }, { admin: 404, member: 403, viewer: 403, outsider: 404 }],
    ['DELETE', 'members/nobody', undefined, { admin: 404, member: 403, viewer: 403, outsider: 404 }],
    ['POST', 'runs', {}, { admin: 201, member: 201, viewer: 403, outsider: 404 }],
    ['GET', 'runs', undefined, { admin: 200, member: 200, viewer: 200, outsider: 404 }],
    ['POST', 'artifacts', { name: 'x', type: 'model' }, { admin: 201, member: 409, viewer: 403, outsider: 404 }],
    ['GET', 'artifacts', undefined, { admin: 200, member: 200, viewer: 200, outsider: 404 }],
  ])('answers %s %s by role', async (method, place, body, statuses) => {
    const viewer = await api.given.user();
    await grant(viewer, 'viewer');
    const callers = { admin: asAdmin, member: asMember, viewer: as(api, viewer), outsider: asOutsider };
    const answers: Record<string, number> = {};
    for (const [role, ask] of Object.entries(callers)) {
      answers[role] = (await ask(method, `${path}/${place}`, body)).status;
    }
    expect(answers).toEqual(statuses);
  });

  it('names the role that is missing', async () => {
    const answer = await asMember('PUT', `${path}/members/${outsider.username}`, { role: 'viewer' });
    expect(answer.body).toMatchObject({
      code: 'missing_role',
      detail: `You need the role 'admin' in project '${path.slice('/v1/projects/'.length)}'`,
    });
  });

  it('lets viewers read traces, and refuses what they write', async () => {
    await grant(member, 'viewer');
    const project_id = path.slice('/v1/projects/'.length);
    const trace = (route: string, body: object) =>
      fetch(api.url + route, { method: 'POST', headers: member.basic, body: JSON.stringify(body) });
    const obj = { project_id, object_id: 'prompt', val: { text: 'hello' } };
    expect((await trace('/obj/create', { obj })).status).toBe(403);
    expect((await trace('/objs/query', { project_id })).status).toBe(200);
  });

  it.each([
    ['an unknown role', 'nobody', { role: 'owner' }, 422],
    ['no role', 'nobody', {}, 422],
    ['an unknown user', 'nobody', { role: 'viewer' }, 404],
    ['a name of control characters', '%00', { role: 'viewer' }, 422],
    ['a name that is no UTF-8', '%ff', { role: 'viewer' }, 400],
  ])('refuses %s', async (_, username, body, status) => {
    expect((await asAdmin('PUT', `${path}/members/${username}`, body)).status).toBe(status);
  });
});
