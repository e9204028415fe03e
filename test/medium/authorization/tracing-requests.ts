import { reads, writes } from '../tracing/roles/tracing-requests.js';
import type { Builder, Builders } from './request.js';
import type { Scene } from './scene.js';

const PROJECT = 'weavers/loom';
const IN_PROJECT = { project_id: PROJECT };
/** Of one annotation queue: method, what follows its id, and what is sent. */
const QUEUE_ROUTES: readonly (readonly [string, string, object?])[] = [
  ['GET', ''],
  ['PUT', '', { name: 'b' }],
  ['DELETE', ''],
  ['POST', '/items', { call_ids: ['c'], display_fields: [] }],
  ['POST', '/items/query', {}],
  ['POST', '/items/{item_id}/progress', { annotation_state: 'completed' }],
];
const KINDS = ['datasets', 'ops', 'models', 'scorers', 'evaluations'];

/** Of calls, objects, tables, files, feedback and costs; and of what the wandb SDK asks. */
export const TRACING_REQUESTS: Builders = {
  ...Object.fromEntries(operations()),
  ...Object.fromEntries(KINDS.flatMap(ofKind)),
  ...Object.fromEntries(QUEUE_ROUTES.map(ofQueue)),
  'POST /obj/delete': async (scene) => {
    const object_id = scene.fresh('object');
    await scene.make('POST', '/obj/create', { obj: { project_id: PROJECT, object_id, val: {} } });
    return { path: '/obj/delete', body: { project_id: PROJECT, object_id, digests: ['v0'] } };
  },
  'POST /refs/read_batch': () => ({
    path: '/refs/read_batch',
    body: { refs: [`weave:///${PROJECT}/object/prompt:v0`] },
    shows: 'woven',
  }),
  'POST /file/content': (scene) => ({ path: '/file/content', body: file(scene.names['digest']!) }),
  'POST /files/content': (scene) => ({ path: '/files/content', body: file(scene.names['digest']!) }),
  'POST /service/projects_info': () => ({
    path: '/service/projects_info',
    body: { project_ids: [PROJECT] },
    shows: PROJECT,
  }),
  'POST /project/ttl_settings/update': () => ({
    path: '/project/ttl_settings/update',
    body: { project_id: PROJECT, retention_days: 30 },
  }),
  'POST /graphql': () => ({
    path: '/graphql',
    body: {
      query: 'query ($entity: String!) { project(entityName: $entity, name: "loom") { name } }',
      variables: { entity: 'weavers' },
    },
    shows: '"loom"',
  }),
};

const file = (digest: string) => ({ project_id: PROJECT, digest });

/** Routes that show and delete an object of a kind: one of that kind. */
function ofKind(kind: string): [string, Builder][] {
  const path = `/v2/${PROJECT}/${kind}`;
  const make = async (scene: Scene): Promise<{ id: string; digest: string }> => {
    const fields = { rows: [], source_code: '', op_source_code: '', dataset: 'weave:///a/b/object/c:v0' };
    const made = await scene.make('POST', path, { name: scene.fresh('object'), ...fields });
    return { id: String(made['object_id']), digest: String(made['digest']) };
  };
  return [
    [
      `GET /v2/{entity}/{project}/${kind}/{object_id}/versions/{digest}`,
      async (scene) => {
        const { id, digest } = await make(scene);
        return { path: `${path}/${id}/versions/${digest}`, shows: id };
      },
    ],
    [
      `DELETE /v2/{entity}/{project}/${kind}/{object_id}`,
      async (scene) => ({ path: `${path}/${(await make(scene)).id}` }),
    ],
  ];
}

/** A queue of its own for each, with a call in it. */
function ofQueue([method, rest, sent]: (typeof QUEUE_ROUTES)[number]): [string, Builder] {
  return [
    `${method} /annotation_queues/{queue_id}${rest}`,
    async (scene) => {
      const { id } = await scene.make('POST', '/annotation_queues', { ...IN_PROJECT, name: 'a', scorer_refs: [] });
      const queue = `/annotation_queues/${String(id)}`;
      await scene.make('POST', `${queue}/items`, { ...IN_PROJECT, call_ids: ['c'], display_fields: [] });
      const { items } = await scene.make('POST', `${queue}/items/query`, IN_PROJECT);
      const path = queue + rest.replace('{item_id}', (items as { id: string }[])[0]!.id);
      if (!sent) return { path: `${path}?project_id=${encodeURIComponent(PROJECT)}` };
      return { path, body: { ...IN_PROJECT, ...sent } };
    },
  ];
}

/** The routes of one project, each with a request that changes nothing that another one needs. */
function operations(): [string, Builder][] {
  return [...writes(PROJECT), ...reads(PROJECT)].map(({ method = 'POST', path }, i) => [
    `${method} ${templateOf(path.split('?', 1)[0]!)}`,
    () => {
      // Anew for each caller: a form is sent once.
      const { body, headers } = [...writes(PROJECT), ...reads(PROJECT)][i]!;
      const withProject = body instanceof FormData || !body ? body : { project_id: PROJECT, ...body };
      return { path, ...(withProject ? { body: withProject } : {}), ...(headers ? { headers } : {}) };
    },
  ]);
}

function templateOf(path: string): string {
  return path
    .replace(`/v2/${PROJECT}/`, '/v2/{entity}/{project}/')
    .replace('/objs/prompt', '/objs/{object_id}')
    .replace(/\/(datasets|ops|models|scorers|evaluations)\/prompt/, '/$1/{object_id}')
    .replace('/annotation_queues/queue', '/annotation_queues/{queue_id}')
    .replace('/items/item', '/items/{item_id}')
    .replace('/runtimes/mine', '/runtimes/{name}')
    .replace('/versions/v0', '/versions/{digest}')
    .replace('/predictions/c', '/predictions/{prediction_id}')
    .replace('/scores/c', '/scores/{score_id}')
    .replace('/evaluation_runs/c', '/evaluation_runs/{evaluation_run_id}');
}
