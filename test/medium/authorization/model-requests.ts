import { groups } from '../models/models-api.js';
import type { Builders } from './request.js';
import type { Json, Scene } from './scene.js';

const MODELS = '/v1/preview/models';
const JOBS = '/v1/preview/training-jobs';
/** Served by its team's project, unlike a base model. */
const SERVED = 'wandb-artifact:///weavers/loom/agent';
const MESSAGES = [{ role: 'user', content: 'Hi' }];

/** Of models, their training, and what they say. */
export const MODEL_REQUESTS: Builders = {
  'POST /v1/preview/models': (scene) => ({ path: MODELS, body: modelBody(scene) }),
  'GET /v1/preview/models': () => ({ path: MODELS, shows: '"agent"' }),
  'DELETE /v1/preview/models/{model_id}': async (scene) => ({
    path: await scene.makeAt(MODELS, modelBody(scene)),
  }),
  'DELETE /v1/preview/models/{model_id}/checkpoints': async (scene) => ({
    path: `${await scene.makeAt(MODELS, modelBody(scene))}/checkpoints`,
    body: { steps: [7] },
  }),
  'POST /v1/preview/models/{model_id}/log': (scene) => ({
    path: `${MODELS}/${scene.names['model_id']!}/log`,
    body: { split: 'val', trajectory_groups: groups([0, 1]) },
  }),
  'GET /v1/preview/models/{model_id}/trajectories/{log_id}': async (scene) => {
    const path = `${MODELS}/${scene.names['model_id']!}`;
    await scene.make('POST', `${path}/log`, { split: 'val', trajectory_groups: groups([0, 1]) });
    const { data } = await scene.make('GET', `${path}/trajectories`);
    return { path: `${path}/trajectories/${String((data as Json[])[0]!['id'])}` };
  },

  'POST /v1/preview/training-jobs': (scene) => ({ path: JOBS, body: jobBody(scene) }),
  'GET /v1/preview/training-jobs': async (scene) => ({ path: JOBS, shows: (await job(scene)).split('/').at(-1)! }),
  'GET /v1/preview/training-jobs/{training_job_id}': async (scene) => ({ path: await job(scene) }),
  'POST /v1/preview/training-jobs/{training_job_id}/cancel': async (scene) => ({ path: `${await job(scene)}/cancel` }),
  'GET /v1/preview/training-jobs/{training_job_id}/trajectories': async (scene) => ({
    path: `${await job(scene)}/trajectories`,
  }),
  'GET /v1/preview/training-jobs/{training_job_id}/events': async (scene) => ({
    path: `${await job(scene)}/events?limit=10`,
  }),
  'GET /v1/preview/models/{model_id}/training-jobs': (scene) => ({
    path: `${MODELS}/${scene.names['model_id']!}/training-jobs`,
  }),
  'POST /v1/preview/sft-training-jobs': async (scene) => ({
    path: '/v1/preview/sft-training-jobs',
    body: { model_id: scene.names['model_id'], training_data_url: await dataset(scene) },
  }),
  'POST /v1/preview/sft-training-jobs/upload': (scene) => ({
    path: `/v1/preview/sft-training-jobs/upload?model_id=${scene.names['model_id']!}`,
    body: example(),
    headers: { 'content-type': 'application/x-ndjson' },
  }),

  'POST /v1/chat/completions': () => ({
    path: '/v1/chat/completions',
    body: { model: SERVED, messages: MESSAGES, max_completion_tokens: 1 },
  }),
  'POST /v1/completions': () => ({ path: '/v1/completions', body: { model: SERVED, prompt: 'Hi', max_tokens: 1 } }),
  'POST /v1/responses': () => ({ path: '/v1/responses', body: responseBody }),
  'POST /v1/responses/input_tokens': () => ({ path: '/v1/responses/input_tokens', body: responseBody }),
  'GET /v1/responses/{response}': async (scene) => ({ path: await response(scene) }),
  'DELETE /v1/responses/{response}': async (scene) => ({ path: await response(scene) }),
  'GET /v1/responses/{response}/input_items': async (scene) => ({ path: `${await response(scene)}/input_items` }),
  'POST /v1/responses/{response}/cancel': async (scene) => ({ path: `${await background(scene)}/cancel` }),
  'POST /tokenize': () => ({ path: '/tokenize', body: { model: SERVED, prompt: 'Hi' } }),
  'POST /detokenize': () => ({ path: '/detokenize', body: { model: SERVED, tokens: [72] } }),
  'GET /v1/models': () => ({ path: '/v1/models', shows: SERVED }),
  'GET /v1/models/{model}': () => ({ path: `/v1/models/${encodeURIComponent(SERVED)}` }),
};

const modelBody = (scene: Scene): Json => ({
  entity: 'weavers',
  project: 'loom',
  name: scene.fresh('model'),
  base_model: 'heddle/shuttle-1m',
});

/** No worker runs here: it stays in the queue. */
const jobBody = (scene: Scene): Json => ({ model_id: scene.names['model_id'], trajectory_groups: groups([0, 1]) });

const job = (scene: Scene): Promise<string> => scene.makeAt(JOBS, jobBody(scene));

const example = (): string =>
  `${JSON.stringify({ messages: [...MESSAGES, { role: 'assistant', content: 'Hello' }] })}\n`;

async function dataset(scene: Scene): Promise<string> {
  const name = scene.fresh('dataset');
  const files = [{ path: 'train.jsonl', content: Buffer.from(example()).toString('base64') }];
  await scene.make('POST', '/v1/projects/weavers/loom/artifacts', { name, type: 'dataset' });
  await scene.make('POST', `/v1/projects/weavers/loom/artifacts/${name}/versions`, { files });
  return `wandb-artifact:///weavers/loom/${name}:v0`;
}

const responseBody = { model: SERVED, input: 'Hi', max_output_tokens: 16 };

/** Of the team's administrator. */
const response = async (scene: Scene): Promise<string> => scene.makeAt('/v1/responses', responseBody);
const background = async (scene: Scene): Promise<string> =>
  scene.makeAt('/v1/responses', { ...responseBody, background: true });
