import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountsApi, startAccounts } from './accounts-api.js';
import { as, pluck } from './requests.js';

describe('Teams and members', () => {
  let api: AccountsApi;

  beforeAll(async () => {
    api = await startAccounts();
  });
  afterAll(() => api.close());

  /** A team of its own for each test: its administrator, a member, and somebody who is in another team. */
  async function weavers() {
    const team = await api.given.team();
    const admin = await api.given.user({ teams: [{ ...team, role: 'admin' }] });
    const member = await api.given.user({ teams: [team] });
    const stranger = await api.given.member();
    return {
      path: `/v1/teams/${team.name}`,
      team: team.name,
      names: { admin: admin.username, member: member.username, stranger: stranger.username },
      admin: as(api, admin),
      member: as(api, member),
      stranger: as(api, stranger),
    };
  }

  it('lets an instance administrator create a team, who becomes its administrator', async () => {
    const ada = as(api, await api.given.user({ isAdmin: true }));
    const created = await ada('POST', '/v1/teams', { name: 'dyers' });
    expect(created).toMatchObject({ status: 201, body: { name: 'dyers', id: expect.any(String) } });
    // At once, and as the default entity, since there was none.
    const me = await ada('GET', '/v1/me');
    expect(me.body).toMatchObject({ default_entity: 'dyers', teams: [{ name: 'dyers', role: 'admin' }] });
    expect(await ada('POST', '/v1/teams', { name: 'dyers' })).toMatchObject({
      status: 409,
      body: { code: 'name_taken' },
    });
  });

  it.each(['', '-x', 'a b', 'a/b', 'é', 'x\u0000', 'x\n', 'x'.repeat(65), 7, null])(
    'refuses the name %j',
    async (name) => {
      const ada = as(api, await api.given.user({ isAdmin: true }));
      const refused = await ada('POST', '/v1/teams', { name });
      expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'name'] }] } });
    },
  );

  it.each([[[]], ['text'], [7], [null]])('refuses the body %j', async (body) => {
    const ada = as(api, await api.given.user({ isAdmin: true }));
    expect((await ada('POST', '/v1/teams', body)).status).toBe(422);
  });

  it('keeps the creation of teams from everybody else', async () => {
    const { admin } = await weavers();
    const refused = await admin('POST', '/v1/teams', { name: 'spinners' });
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'missing_role', detail: expect.stringContaining("'admin'") },
    });
  });

  it('shows a user their own teams only', async () => {
    const { team, member, stranger, path } = await weavers();
    expect(pluck(await member('GET', '/v1/teams'), 'name')).toEqual([team]);
    expect(pluck(await stranger('GET', '/v1/teams'), 'name')).not.toContain(team);
    expect(await member('GET', path)).toMatchObject({ status: 200, body: { name: team } });
  });

  it('shows and does nothing to somebody of another team, nor to an instance administrator', async () => {
    const { path, stranger, names, member } = await weavers();
    const instanceAdmin = as(api, await api.given.user({ isAdmin: true }));
    for (const outsider of [stranger, instanceAdmin]) {
      const answers = [
        await outsider('GET', path),
        await outsider('GET', `${path}/members`),
        await outsider('PUT', `${path}/members/${names.stranger}`, { role: 'admin' }),
        await outsider('DELETE', `${path}/members/${names.member}`),
      ];
      for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: 'entity_not_found' } });
    }
    // Exactly as for a team that doesn't exist.
    const nowhere = await stranger('GET', '/v1/teams/nowhere');
    expect(nowhere).toMatchObject({ status: 404, body: { code: 'entity_not_found' } });
    expect(pluck(await member('GET', `${path}/members`), 'username')).toEqual([names.admin, names.member]);
  });

  it('takes members in and changes their roles', async () => {
    const { path, admin, stranger, names, team } = await weavers();
    expect((await stranger('GET', path)).status).toBe(404);
    const joined = await admin('PUT', `${path}/members/${names.stranger}`, { role: 'member' });
    expect(joined).toMatchObject({ status: 200, body: { username: names.stranger, role: 'member' } });
    expect((await stranger('GET', path)).status).toBe(200);
    await admin('PUT', `${path}/members/${names.stranger}`, { role: 'admin' });
    const { body } = await stranger('GET', '/v1/me');
    expect(body['teams']).toContainEqual({ name: team, role: 'admin' });
  });

  it('names the role that a member lacks', async () => {
    const { path, member, names, team } = await weavers();
    const refused = await member('PUT', `${path}/members/${names.member}`, { role: 'admin' });
    const detail = `You need the role 'admin' in team '${team}'`;
    expect(refused).toMatchObject({ status: 403, body: { code: 'missing_role', detail } });
    expect((await member('DELETE', `${path}/members/${names.admin}`)).status).toBe(403);
  });

  it('refuses a role or a user that does not exist', async () => {
    const { path, admin, names } = await weavers();
    expect((await admin('PUT', `${path}/members/${names.member}`, { role: 'owner' })).status).toBe(422);
    const nobody = await admin('PUT', `${path}/members/nobody`, { role: 'member' });
    expect(nobody).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    const notIn = await admin('DELETE', `${path}/members/${names.stranger}`);
    expect(notIn).toMatchObject({ status: 404, body: { code: 'member_not_found' } });
  });

  it('removes members, who lose sight of the team and of it as their default', async () => {
    const { path, admin, member, names } = await weavers();
    expect((await member('GET', path)).status).toBe(200);
    expect((await admin('DELETE', `${path}/members/${names.member}`)).status).toBe(204);
    expect((await member('GET', path)).status).toBe(404);
    expect((await member('GET', '/v1/me')).body).toMatchObject({ default_entity: null, teams: [] });
  });

  it('lets a member leave', async () => {
    const { path, admin, member, names } = await weavers();
    expect((await member('DELETE', `${path}/members/${names.member}`)).status).toBe(204);
    expect(pluck(await admin('GET', `${path}/members`), 'username')).toEqual([names.admin]);
  });

  it('never loses its last administrator', async () => {
    const { path, admin, names } = await weavers();
    const self = `${path}/members/${names.admin}`;
    for (const answer of [await admin('PUT', self, { role: 'member' }), await admin('DELETE', self)]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    }
  });

  it('never loses its last two administrators at once', async () => {
    const { path, admin, member, names } = await weavers();
    await admin('PUT', `${path}/members/${names.member}`, { role: 'admin' });
    const answers = await Promise.all([
      admin('DELETE', `${path}/members/${names.admin}`),
      member('DELETE', `${path}/members/${names.member}`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });
});
