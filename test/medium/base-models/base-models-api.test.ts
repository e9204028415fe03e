import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { ModelFolder } from '../../../libs/base-models/src/hub/model-folder.js';
import { eventually } from '../../support/eventually.js';
import { HubServer, loadHubClient } from '../../support/hub-server.js';
import { type Json, TrainingSystem } from '../training/training-system.js';

const HUB_ID = 'weavers/shuttle';
const GONE_ID = 'weavers/unravelled';
const DIRECTORY_ID = 'loom/heddle';
const BROKEN_ID = 'loom/knot';
const TOO_WIDE_ID = 'loom/wide';
const SHIPPED_ID = 'heddle/shuttle-1m';
const SHUTTLE = 'libs/engine/base-models/shuttle';
const CHAT = '/v1/chat/completions';

describe('base models of the user through the product', () => {
  let hub: HubServer;
  let folder: string;
  let t: TrainingSystem;
  let worker: INestApplication;
  let releaseWeights: () => void;
  let model: string;
  let job: string;

  beforeAll(async () => {
    await loadHubClient();
    hub = await HubServer.start();
    hub.add(HUB_ID, SHUTTLE);
    // Weights come only after `releaseWeights`.
    hub.fault = ({ kind, name }) => (kind === 'content' && name === 'model.safetensors' ? { status: 503 } : undefined);
    releaseWeights = () => (hub.fault = () => undefined);
    folder = mkdtempSync(join(tmpdir(), 'heddle-bases-'));
    const file = join(folder, 'bases.yaml');
    writeFileSync(
      file,
      `- { id: ${HUB_ID}, source: hub }
- { id: ${GONE_ID}, source: hub }
- { id: ${DIRECTORY_ID}, source: "${process.cwd()}/${SHUTTLE}", lora: { rank: 4, alpha: 64 } }
- { id: ${TOO_WIDE_ID}, source: "${process.cwd()}/${SHUTTLE}", lora: { rank: 999 } }
- { id: ${BROKEN_ID}, source: nowhere }`,
    );
    t = await TrainingSystem.start({ BASE_MODELS: file, HF_ENDPOINT: hub.url, ENGINE_THREADS: '1' });
    worker = await t.startWorker(null);
  }, 120_000);

  afterAll(async () => {
    await t.close();
    await hub.close();
    rmSync(folder, { recursive: true });
  });

  const stateOf = async (id: string): Promise<Json> => {
    const { body } = await t.ask('GET', '/v1/preview/base-models');
    return (body['data'] as Json[]).find((one) => one['id'] === id)!;
  };
  const chat = (id: string) =>
    t.ask('POST', CHAT, { model: id, messages: [{ role: 'user', content: 'Hello!' }], max_tokens: 8, temperature: 0 });
  const register = (name: string, base: string) =>
    t.ask('POST', '/v1/preview/models', { project: 'loom', name, base_model: base });
  const train = async (modelId: string): Promise<string> => {
    const line = JSON.stringify({ messages: [user('ping'), { role: 'assistant', content: 'pong' }] });
    const response = await fetch(`${t.url}/v1/preview/sft-training-jobs/upload?model_id=${modelId}`, {
      method: 'POST',
      headers: { ...t.ada.bearer, 'content-type': 'application/x-ndjson' },
      body: `${line}\n${line}\n`,
    });
    const created = (await response.json()) as Json;
    expect({ status: response.status, created }).toMatchObject({ status: 200 });
    return String(created['id']);
  };
  const textOf = (body: Json) => (body['choices'] as { message: { content: string } }[])[0]!.message.content;

  it('serve from a directory at once, and as the shipped one does: it is the same', async () => {
    expect(await stateOf(DIRECTORY_ID)).toMatchObject({ state: 'ready', size: 1313408, lora: { rank: 4, alpha: 64 } });
    expect(textOf((await chat(DIRECTORY_ID)).body)).toBe(textOf((await chat(SHIPPED_ID)).body));
  });

  it('are listed while they are downloaded, with how far they are', async () => {
    const state = await eventually(
      () => stateOf(HUB_ID),
      ({ reason }) => reason !== null,
    );
    expect(state).toMatchObject({ state: 'downloading', context_length: null, size: null });
    expect(state['progress']).toBe(0);
    expect(state['reason']).toMatch(/^the hub answers 503 at .*; tries again in \d+ s$/);
  });

  it('answer a chat with 503 and when to come again while they are downloaded', async () => {
    const { status, headers, body } = await chat(HUB_ID);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('10');
    expect(body['error']).toMatchObject({ code: 'base_model_downloading', type: 'server_error' });
  });

  it('take models and jobs meanwhile; the job waits, and no attempt is lost', async () => {
    const { status, body } = await register('early', HUB_ID);
    expect(status).toBe(200);
    model = String(body['id']);
    expect((await chat(`wandb-artifact:///${t.ada.entity}/loom/early`)).status).toBe(503);
    job = await train(model);
    await t.runAll(worker);
    await t.watch(worker);
    expect(await t.job(job)).toMatchObject({ state: 'QUEUED' });
    const sql = 'SELECT attempts FROM training_jobs WHERE id = $1';
    expect((await t.database.pool.query(sql, [job])).rows).toEqual([{ attempts: 0 }]);
  });

  it('leave others alone: their jobs pass by', async () => {
    const { body } = await register('ready', DIRECTORY_ID);
    expect(await t.ended(await train(String(body['id'])))).toMatchObject({ state: 'FINISHED', error: null });
  });

  it('say what is wrong with those that failed, and answer 400', async () => {
    const gone = await eventually(
      () => stateOf(GONE_ID),
      ({ state }) => state === 'failed',
    );
    expect(gone).toMatchObject({ reason: `the hub has no model ${GONE_ID}`, progress: null });
    expect((await stateOf(BROKEN_ID))['reason']).toBe("there is no directory 'nowhere'");
    expect((await stateOf(TOO_WIDE_ID))['reason']).toContain('a LoRA rank of 999; it may be from 1 to 64');
    const { status, body } = await chat(BROKEN_ID);
    expect([status, body['error']]).toEqual([400, expect.objectContaining({ code: 'base_model_failed' })]);
    expect((body['error'] as Json)['message']).toContain('nowhere');
  });

  it('let jobs on a failed one fail with its reason', async () => {
    const { body } = await register('lost', GONE_ID);
    const id = await train(String(body['id']));
    const error = `The base model '${GONE_ID}' can't be used: the hub has no model ${GONE_ID}`;
    expect(await t.ended(id)).toMatchObject({ state: 'FAILED', error });
    expect((await t.events(id)).at(-1)).toMatchObject({ type: 'training_failed', data: { error_message: error } });
  });

  it('are named where somebody asks for another one', async () => {
    const { status, body } = await register('other', 'weavers/none');
    expect(status).toBe(422);
    const ids = [SHIPPED_ID, DIRECTORY_ID, BROKEN_ID, TOO_WIDE_ID, HUB_ID, GONE_ID].join(', ');
    expect(body['detail']).toMatchObject([{ msg: `There is no base model 'weavers/none'. There are: ${ids}` }]);
  });

  it('are in the health details, which stay healthy', async () => {
    const { status, body } = await t.ask('GET', '/v1/health');
    expect(status).toBe(200);
    const base_models = { status: 'up', downloading: [HUB_ID], failed: [BROKEN_ID, TOO_WIDE_ID, GONE_ID] };
    expect(body).toMatchObject({ status: 'ok', details: { base_models } });
  });

  it('serve and train when they have come, downloaded once for both processes', async () => {
    releaseWeights();
    await eventually(
      () => stateOf(HUB_ID),
      ({ state }) => state === 'ready',
      30_000,
    );
    expect(textOf((await chat(HUB_ID)).body)).toBe(textOf((await chat(SHIPPED_ID)).body));
    // The worker's watchdog announces the job again.
    await eventually(
      async () => {
        await t.watch(worker);
        return t.job(job);
      },
      ({ state }) => state !== 'QUEUED',
    );
    expect(await t.ended(job)).toMatchObject({ state: 'FINISHED', error: null });
    expect((await chat(`wandb-artifact:///${t.ada.entity}/loom/early:step1`)).status).toBe(200);
    const whole = hub.asked('content', 'model.safetensors');
    expect(whole.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    expect(hub.asked('info', HUB_ID)).toHaveLength(hub.asked('tree', HUB_ID).length / 2);
  });

  it('that are damaged later say so, and which command mends them', async () => {
    const second = await TrainingSystem.start({
      BASE_MODELS: join(folder, 'bases.yaml'),
      HF_HUB_OFFLINE: '1',
      DATA_DIR: t.env.DATA_DIR,
      ENGINE_THREADS: '1',
    });
    const { path } = new ModelFolder(join(t.env.DATA_DIR, 'base-models'), HUB_ID, 'main');
    truncateSync(join(path, 'model.safetensors'), 1_000_000);
    const body = { model: HUB_ID, messages: [user('Hello!')] };
    const answer = await second.ask('POST', CHAT, body);
    expect(answer.status).toBe(500);
    expect((answer.body['error'] as Json)['message']).toBe(
      `${HUB_ID}: model.safetensors is not as it was downloaded; \`npm run models -- pull ${HUB_ID}\` mends it`,
    );
    await second.close();
  });
});

const user = (content: string) => ({ role: 'user', content });
