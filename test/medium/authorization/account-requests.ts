import type { Builders } from './request.js';
import type { Role, Scene } from './scene.js';

/** Of people, teams, keys and projects. */
export const ACCOUNT_REQUESTS: Builders = {
  'GET /v1/audit-log': () => ({ path: '/v1/audit-log?order=asc&limit=100', shows: 'weavers' }),
  'POST /v1/api-keys': (scene) => ({ path: '/v1/api-keys', body: { name: scene.fresh('key') } }),
  'GET /v1/api-keys': () => ({ path: '/v1/api-keys' }),
  // Somebody else's key is tried by who has none of their own.
  'DELETE /v1/api-keys/{id}': async (scene, role) => ({
    path: `/v1/api-keys/${await keyOf(scene, role)}`,
    isOwn: true,
  }),
  'PATCH /v1/me': () => ({ path: '/v1/me', body: { email: null } }),

  'PUT /v1/teams/{team}/members/{username}': async (scene) => ({
    path: `/v1/teams/weavers/members/${await person(scene)}`,
    body: { role: 'member' },
  }),
  'DELETE /v1/teams/{team}/members/{username}': async (scene) => {
    const path = `/v1/teams/weavers/members/${await person(scene)}`;
    await scene.make('PUT', path, { role: 'member' });
    return { path };
  },
  'POST /v1/teams': (scene) => ({ path: '/v1/teams', body: { name: scene.fresh('team') } }),
  'GET /v1/teams': () => ({ path: '/v1/teams', shows: '"weavers"' }),
  'PATCH /v1/teams/{team}': () => ({ path: '/v1/teams/weavers', body: { artifact_ttl_seconds: null } }),
  'DELETE /v1/teams/{team}': async (scene) => {
    const name = scene.fresh('team');
    await scene.administer('POST', '/v1/teams', { name });
    for (const [role, given] of [
      ['team admin', 'admin'],
      ['team member', 'member'],
      ['team viewer', 'viewer'],
    ] as const)
      await scene.administer('PUT', `/v1/teams/${name}/members/${scene.person(role)!.username}`, { role: given });
    return { path: `/v1/teams/${name}?confirm=${name}` };
  },

  'POST /v1/users': (scene) => ({ path: '/v1/users', body: { username: scene.fresh('person') } }),
  'PATCH /v1/users/{username}': async (scene) => ({ path: `/v1/users/${await person(scene)}`, body: { email: null } }),
  'DELETE /v1/users/{username}': async (scene) => ({ path: `/v1/users/${await person(scene)}` }),
  'POST /v1/users/{username}/api-keys': async (scene) => ({
    path: `/v1/users/${await person(scene)}/api-keys`,
    body: { name: 'key' },
  }),
  'DELETE /v1/users/{username}/api-keys/{id}': async (scene) => {
    const keys = `/v1/users/${await person(scene)}/api-keys`;
    const { id } = await scene.administer('POST', keys, { name: 'key' });
    return { path: `${keys}/${String(id)}` };
  },

  'PUT /v1/projects/{entity}/{project}/members/{username}': async (scene) => ({
    path: `/v1/projects/weavers/loom/members/${await person(scene)}`,
    body: { role: 'viewer' },
  }),
  'DELETE /v1/projects/{entity}/{project}/members/{username}': async (scene) => {
    const path = `/v1/projects/weavers/loom/members/${await person(scene)}`;
    await scene.make('PUT', path, { role: 'viewer' });
    return { path };
  },
  'GET /v1/projects': () => ({ path: '/v1/projects', shows: 'weavers/loom' }),
  'POST /v1/projects': (scene) => ({
    path: '/v1/projects',
    body: { entity: 'weavers', name: scene.fresh('project') },
  }),
  'PATCH /v1/projects/{entity}/{project}': () => ({ path: '/v1/projects/weavers/loom', body: { retention_days: 30 } }),
  'DELETE /v1/projects/{entity}/{project}': async (scene) => {
    const name = scene.fresh('project');
    await scene.make('POST', '/v1/projects', { entity: 'weavers', name });
    for (const role of ['viewer', 'member', 'admin'] as const) {
      const { username } = scene.person(`granted ${role}`)!;
      await scene.make('PUT', `/v1/projects/weavers/${name}/members/${username}`, { role });
    }
    return { path: `/v1/projects/weavers/${name}?confirm=weavers/${name}` };
  },
};

/** A new user; the name. */
async function person(scene: Scene): Promise<string> {
  return String((await scene.administer('POST', '/v1/users', { username: scene.fresh('person') }))['username']);
}

async function keyOf(scene: Scene, role: Role): Promise<string> {
  const { username } = scene.person(role) ?? scene.bystander;
  const { id } = await scene.administer('POST', `/v1/users/${username}/api-keys`, { name: 'key' });
  return String(id);
}
