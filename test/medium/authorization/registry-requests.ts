import type { Builders } from './request.js';
import type { Scene } from './scene.js';

const REGISTRY = '/v1/registries/weavers/releases';
const COLLECTION = `${REGISTRY}/collections/agents`;
const ROLES = ['viewer', 'member', 'admin'] as const;

/** Of registries, their members, their collections and what is linked there. */
export const REGISTRY_REQUESTS: Builders = {
  'POST /v1/registries/{entity}/{registry}/collections/{collection}/versions': async (scene) => ({
    path: `${COLLECTION}/versions`,
    body: { artifact: await version(scene) },
  }),
  'GET /v1/registries/{entity}/{registry}/collections/{collection}/versions': () => ({
    path: `${COLLECTION}/versions`,
    shows: '"v0"',
  }),
  'DELETE /v1/registries/{entity}/{registry}/collections/{collection}/versions/{version}': async (scene) => ({
    path: await link(scene),
  }),
  'DELETE /v1/registries/{entity}/{registry}/collections/{collection}/versions/{version}/aliases/{alias}': (scene) =>
    labelled(scene, `${COLLECTION}/versions/v0/aliases`),
  'DELETE /v1/registries/{entity}/{registry}/collections/{collection}/versions/{version}/tags/{tag}': (scene) =>
    labelled(scene, `${COLLECTION}/versions/v0/tags`),

  'POST /v1/registries': (scene) => ({
    path: '/v1/registries',
    body: { entity: 'weavers', name: scene.fresh('registry') },
  }),
  'GET /v1/registries': () => ({ path: '/v1/registries', shows: '"releases"' }),
  'PATCH /v1/registries/{entity}/{registry}': () => ({ path: REGISTRY, body: { description: 'Releases' } }),
  'DELETE /v1/registries/{entity}/{registry}': async (scene) => {
    const name = scene.fresh('registry');
    await scene.make('POST', '/v1/registries', { entity: 'weavers', name });
    const path = `/v1/registries/weavers/${name}`;
    for (const role of ROLES)
      await scene.make('PUT', `${path}/members/${scene.person(`granted ${role}`)!.username}`, { role });
    return { path };
  },

  'POST /v1/registries/{entity}/{registry}/collections': (scene) => ({
    path: `${REGISTRY}/collections`,
    body: { name: scene.fresh('collection'), type: 'model' },
  }),
  'GET /v1/registries/{entity}/{registry}/collections': () => ({ path: `${REGISTRY}/collections`, shows: '"agents"' }),
  'PATCH /v1/registries/{entity}/{registry}/collections/{collection}': () => ({
    path: COLLECTION,
    body: { description: 'Agents' },
  }),
  'DELETE /v1/registries/{entity}/{registry}/collections/{collection}': async (scene) => ({
    path: await scene.makeAt(`${REGISTRY}/collections`, { name: scene.fresh('collection'), type: 'model' }, 'name'),
  }),
  'DELETE /v1/registries/{entity}/{registry}/collections/{collection}/tags/{tag}': (scene) =>
    labelled(scene, `${COLLECTION}/tags`),

  'PUT /v1/registries/{entity}/{registry}/members/{username}': async (scene) => ({
    path: `${REGISTRY}/members/${await person(scene)}`,
    body: { role: 'viewer' },
  }),
  'DELETE /v1/registries/{entity}/{registry}/members/{username}': async (scene) => {
    const path = `${REGISTRY}/members/${await person(scene)}`;
    await scene.make('PUT', path, { role: 'viewer' });
    return { path };
  },
};

/** A new version in the project; its ref. */
async function version(scene: Scene): Promise<string> {
  const name = scene.fresh('source');
  await scene.make('POST', '/v1/projects/weavers/loom/artifacts', { name, type: 'model' });
  await scene.make('POST', `/v1/projects/weavers/loom/artifacts/${name}/versions`, { files: [] });
  return `weavers/loom/${name}:v0`;
}

async function link(scene: Scene): Promise<string> {
  const linked = await scene.make('POST', `${COLLECTION}/versions`, { artifact: await version(scene) });
  return `${COLLECTION}/versions/${String(linked['version'])}`;
}

async function labelled(scene: Scene, labels: string): Promise<{ path: string }> {
  const path = `${labels}/${scene.fresh('label')}`;
  await scene.make('PUT', path);
  return { path };
}

async function person(scene: Scene): Promise<string> {
  return String((await scene.administer('POST', '/v1/users', { username: scene.fresh('person') }))['username']);
}
