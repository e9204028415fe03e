import type { Builders } from './request.js';
import type { Scene } from './scene.js';

const PROJECT = '/v1/projects/weavers/loom';
const ARTIFACTS = `${PROJECT}/artifacts`;
const COLLECTION = `${ARTIFACTS}/agents`;
const VERSION = `${COLLECTION}/versions/v0`;

/** Of runs and artifacts. */
export const ARTIFACT_REQUESTS: Builders = {
  'POST /v1/projects/{entity}/{project}/runs/{run}/history': () => ({
    path: `${PROJECT}/runs/r1/history`,
    body: { points: [{ step: 1, metrics: { loss: 1 } }] },
  }),
  'GET /v1/projects/{entity}/{project}/runs/{run}/chart': () => ({ path: `${PROJECT}/runs/r1/chart?metric=loss` }),
  'POST /v1/projects/{entity}/{project}/runs': (scene) => ({
    path: `${PROJECT}/runs`,
    body: { name: scene.fresh('run') },
  }),
  'GET /v1/projects/{entity}/{project}/runs': () => ({ path: `${PROJECT}/runs`, shows: '"r1"' }),
  'PATCH /v1/projects/{entity}/{project}/runs/{run}': () => ({
    path: `${PROJECT}/runs/r1`,
    body: { display_name: 'warp speed' },
  }),
  'DELETE /v1/projects/{entity}/{project}/runs/{run}': async (scene) => ({
    path: await scene.makeAt(`${PROJECT}/runs`, { name: scene.fresh('run') }, 'name'),
  }),

  'POST /v1/projects/{entity}/{project}/artifacts': (scene) => ({
    path: ARTIFACTS,
    body: { name: scene.fresh('collection'), type: 'model' },
  }),
  'GET /v1/projects/{entity}/{project}/artifacts': () => ({ path: ARTIFACTS, shows: '"agents"' }),
  'PATCH /v1/projects/{entity}/{project}/artifacts/{collection}': () => ({
    path: COLLECTION,
    body: { description: 'Agents' },
  }),
  'DELETE /v1/projects/{entity}/{project}/artifacts/{collection}': async (scene) => ({ path: await collection(scene) }),
  'DELETE /v1/projects/{entity}/{project}/artifacts/{collection}/tags/{tag}': async (scene) => {
    const path = `${COLLECTION}/tags/${scene.fresh('tag')}`;
    await scene.make('PUT', path);
    return { path };
  },

  'POST /v1/projects/{entity}/{project}/artifacts/{collection}/drafts': () => ({
    path: `${COLLECTION}/drafts`,
    body: {},
  }),
  'GET /v1/projects/{entity}/{project}/artifacts/{collection}/drafts/{draft}': async (scene) => ({
    path: await draft(scene),
  }),
  'DELETE /v1/projects/{entity}/{project}/artifacts/{collection}/drafts/{draft}': async (scene) => ({
    path: await draft(scene),
  }),
  'GET /v1/projects/{entity}/{project}/artifacts/{collection}/drafts/{draft}/files': async (scene) => ({
    path: `${await draft(scene)}/files`,
  }),
  'POST /v1/projects/{entity}/{project}/artifacts/{collection}/drafts/{draft}/commit': async (scene) => ({
    path: `${await draft(scene)}/commit`,
    body: {},
  }),
  'PUT /v1/projects/{entity}/{project}/artifacts/{collection}/drafts/{draft}/files/{path}': async (scene) => ({
    path: `${await draft(scene)}/files/notes.txt`,
    body: 'woven',
  }),
  'DELETE /v1/projects/{entity}/{project}/artifacts/{collection}/drafts/{draft}/files/{path}': async (scene) => {
    const path = `${await draft(scene)}/files/notes.txt`;
    await scene.make('PUT', path, 'woven');
    return { path };
  },

  'POST /v1/projects/{entity}/{project}/artifacts/{collection}/versions': async (scene) => ({
    path: `${await collection(scene)}/versions`,
    body: { files: [] },
  }),
  'GET /v1/projects/{entity}/{project}/artifacts/{collection}/versions': () => ({
    path: `${COLLECTION}/versions`,
    shows: '"v0"',
  }),
  'PATCH /v1/projects/{entity}/{project}/artifacts/{collection}/versions/{version}': () => ({
    path: VERSION,
    body: { description: 'First' },
  }),
  'DELETE /v1/projects/{entity}/{project}/artifacts/{collection}/versions/{version}': async (scene) => {
    const path = `${await collection(scene)}/versions`;
    await scene.make('POST', path, { files: [] });
    return { path: `${path}/v0` };
  },
  'DELETE /v1/projects/{entity}/{project}/artifacts/{collection}/versions/{version}/aliases/{alias}': (scene) =>
    labelled(scene, 'aliases'),
  'DELETE /v1/projects/{entity}/{project}/artifacts/{collection}/versions/{version}/tags/{tag}': (scene) =>
    labelled(scene, 'tags'),
  'GET /v1/artifact-refs': () => ({ path: '/v1/artifact-refs?ref=weavers/loom/agents:v0', shows: '"v0"' }),
};

const collection = (scene: Scene): Promise<string> =>
  scene.makeAt(ARTIFACTS, { name: scene.fresh('collection'), type: 'model' }, 'name');

const draft = async (scene: Scene): Promise<string> => scene.makeAt(`${await collection(scene)}/drafts`, {});

async function labelled(scene: Scene, kind: 'aliases' | 'tags'): Promise<{ path: string }> {
  const path = `${VERSION}/${kind}/${scene.fresh('label')}`;
  await scene.make('PUT', path);
  return { path };
}
