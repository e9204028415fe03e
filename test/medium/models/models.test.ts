import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { as, pluck } from '../accounts/requests.js';
import { BASE_MODEL, groups, MODELS, ModelsApi } from './models-api.js';

describe('models', () => {
  let t: ModelsApi;
  beforeAll(async () => {
    t = await ModelsApi.start();
  });
  afterAll(() => t.close());
  beforeEach(() => void t.events.take());

  it('are registered in the default team, with a project, a run and a collection', async () => {
    const { status, body } = await t.register({ project: 'new', name: 'agent' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      entity: t.ada.entity,
      project: 'new',
      name: 'agent',
      base_model: BASE_MODEL,
      lora_rank: null,
      run_id: expect.stringMatching(/^[\da-f-]{36}$/),
      step: 0,
    });
    const project = `/v1/projects/${t.ada.entity}/new`;
    const run = await t.ask('GET', `${project}/runs/agent`);
    expect(run.body).toMatchObject({ id: body['run_id'], config: { model: 'agent', base_model: BASE_MODEL } });
    expect((await t.ask('GET', `${project}/artifacts/agent`)).body).toMatchObject({ type: 'model' });
    expect(t.events.takeTypes()).toEqual(['RUN_STATE']);
  });

  it('are registered again without a change', async () => {
    const first = await t.register({ name: 'again' });
    const second = await t.register({ name: 'again', return_existing: true });
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect(await t.register({ name: 'again', return_existing: null })).toMatchObject({
      status: 409,
      body: { code: 'model_exists' },
    });
  });

  it('keep the LoRA rank that they were registered with', async () => {
    const first = await t.register({ name: 'wide', lora_rank: 16 });
    expect(first).toMatchObject({ status: 200, body: { lora_rank: 16 } });
    for (const lora_rank of [16, null, undefined]) {
      const again = await t.register({ name: 'wide', lora_rank, return_existing: true });
      expect(again).toMatchObject({ status: 200, body: first.body });
    }
    expect(await t.register({ name: 'wide', lora_rank: 8, return_existing: true })).toMatchObject({
      status: 409,
      body: { code: 'lora_rank_differs', detail: expect.stringContaining("Model 'wide' has LoRA rank 16, not 8") },
    });
  });

  it('have by default the rank of their base model, which may also be named', async () => {
    const first = await t.register({ name: 'plain' });
    expect(await t.register({ name: 'plain', lora_rank: 8, return_existing: true })).toEqual({
      ...first,
      headers: expect.anything(),
    });
    expect((await t.register({ name: 'plain', lora_rank: 9, return_existing: true })).status).toBe(409);
  });

  it.each([0, 1.5, 65, 2000, '8'])('refuse a LoRA rank of %p', async (lora_rank) => {
    const { status, body } = await t.register({ project: 'never', name: 'x', lora_rank });
    expect([status, body['detail']]).toEqual([422, [expect.objectContaining({ loc: ['body', 'lora_rank'] })]]);
    expect((await t.ask('GET', `/v1/projects/${t.ada.entity}/never`)).status).toBe(404);
  });

  it('are one, however many register the same at once', async () => {
    const asked = Array.from({ length: 20 }, () => t.register({ project: 'race', name: 'r', return_existing: true }));
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body['run_id'])).size).toBe(1);
    expect(t.events.takeTypes()).toEqual(['RUN_STATE']);
    expect(pluck(await t.ask('GET', `/v1/projects/${t.ada.entity}/race/runs`), 'name')).toEqual(['r']);
  });

  it('have a run of another name where the project has one of theirs', async () => {
    await t.model();
    await t.ask('POST', `${t.project}/runs`, { name: 'taken' });
    const { body } = await t.register({ name: 'taken' });
    expect(body['run_name']).toMatch(/^taken-[\da-f]{10}$/);
  });

  it('refuse the name of artifacts that are no model, and leave nothing behind', async () => {
    await t.model();
    await t.ask('POST', `${t.project}/artifacts`, { name: 'corpus', type: 'dataset' });
    expect(await t.register({ name: 'corpus' })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'name'], type: 'artifact_name_taken' }] },
    });
    expect(pluck(await t.ask('GET', `${MODELS}?name=corpus`), 'id')).toEqual([]);
    expect((await t.ask('GET', `${t.project}/runs/corpus`)).status).toBe(404);
  });

  it('say which base models there are', async () => {
    const { status, body } = await t.register({ project: 'never', name: 'x', base_model: 'none/such' });
    expect(status).toBe(422);
    expect(body['detail']).toMatchObject([
      { loc: ['body', 'base_model'], msg: expect.stringContaining(BASE_MODEL), type: 'unknown_base_model' },
    ]);
    expect((await t.ask('GET', `/v1/projects/${t.ada.entity}/never`)).status).toBe(404);
  });

  it('have base models, which are listed', async () => {
    const page = await t.ask('GET', '/v1/preview/base-models');
    expect(page.body).toMatchObject({ object: 'list', has_more: false });
    expect(page.body['data']).toContainEqual({
      id: BASE_MODEL,
      state: 'ready',
      progress: null,
      reason: null,
      engine: 'embedded',
      context_length: expect.any(Number),
      size: expect.any(Number),
      vocabulary_size: expect.any(Number),
      family: 'llama',
      memory_bytes: expect.any(Number),
      servers: [],
      lora: { rank: 8, alpha: 512 },
    });
    const last = String(page.body['last_id']);
    expect(pluck(await t.ask('GET', `/v1/preview/base-models?after=${encodeURIComponent(last)}`), 'id')).toEqual([]);
    expect((await t.ask('GET', '/v1/preview/base-models?after=x')).status).toBe(422);
  });

  it.each([
    { name: '' },
    { name: 'a/b' },
    { name: 'a:step1' },
    { name: 'ok', project: 'a/b' },
    { name: 'ok', project: null },
    { name: 'ok', base_model: 1 },
    { name: 'ok', return_existing: 'yes' },
  ])('refuse %j', async (fields) => {
    expect((await t.register(fields)).status).toBe(422);
  });

  it('are shown and listed, by step, by project and by name, in pages', async () => {
    for (const name of ['a', 'b', 'c']) await t.register({ project: 'list', name });
    const listed = await t.ask('GET', `${MODELS}?project=list&limit=2`);
    expect(pluck(listed, 'name')).toEqual(['a', 'b']);
    const rest = await t.ask('GET', `${MODELS}?project=list&limit=2&after=${String(listed.body['last_id'])}`);
    expect([pluck(rest, 'name'), rest.body['has_more']]).toEqual([['c'], false]);
    const b = (listed.body['data'] as { id: string }[])[1]!;
    await t.checkpoint(b);
    expect(await t.ask('GET', `${MODELS}/${b.id}`)).toMatchObject({ status: 200, body: { name: 'b', step: 1 } });
    expect(pluck(await t.ask('GET', `${MODELS}?project=list`), 'step')).toEqual([0, 1, 0]);
    expect(pluck(await t.ask('GET', `${MODELS}?project=list&name=b&entity=${t.ada.entity}`), 'name')).toEqual(['b']);
    expect(pluck(await t.ask('GET', `${MODELS}?project=list&base_model=other`), 'name')).toEqual([]);
  });

  it('are deleted with all that they own', async () => {
    const model = await t.model();
    await t.checkpoint(model);
    const { versionId } = await t.checkpoint(model);
    await t.ask('POST', `${model.path}/log`, { split: 'val', trajectory_groups: groups([1]) });
    const job = await t.job(model, { state: 'QUEUED' });
    t.events.take();
    const { DATA_DIR } = t.api.env;
    expect(readdirSync(join(DATA_DIR, 'trajectories'))).toHaveLength(2);
    expect(await t.ask('DELETE', model.path)).toMatchObject({
      status: 200,
      body: { model_id: model.id, deleted_checkpoints: 2, deleted_run: true },
    });
    expect(t.events.take()).toMatchObject([{ type: 'TRAINING_JOB_STATE', state: 'CANCELLED', job: { id: job } }]);
    expect((await t.ask('GET', model.path)).status).toBe(404);
    expect((await t.ask('DELETE', model.path)).status).toBe(404);
    expect((await t.ask('GET', `${t.project}/runs/${model.name}`)).status).toBe(404);
    expect((await t.ask('GET', `${t.project}/artifacts/${model.name}`)).status).toBe(404);
    expect(readdirSync(join(DATA_DIR, 'trajectories'))).toEqual(['incoming']);
    expect(existsSync(join(DATA_DIR, 'adapters', versionId))).toBe(false);
    const { rows } = await t.api.database.pool.query(
      `SELECT (SELECT count(*) FROM checkpoints WHERE model_id = $1) + (SELECT count(*) FROM training_jobs WHERE model_id = $1) AS left`,
      [model.id],
    );
    expect(rows).toEqual([{ left: '0' }]);
  });

  it('are deleted also after their run and their artifacts', async () => {
    const model = await t.model();
    await t.checkpoint(model);
    await t.ask('DELETE', `${t.project}/runs/${model.name}`);
    await t.ask('DELETE', `${t.project}/artifacts/${model.name}`);
    expect((await t.ask('GET', model.path)).body).toMatchObject({ run_id: null, step: 0 });
    // A checkpoint has its place still, and its step is a new one.
    expect((await t.checkpoint(model)).step).toBe(2);
    expect((await t.ask('DELETE', model.path)).body).toMatchObject({ deleted_checkpoints: 1, deleted_run: false });
  });

  it('stay while a registry links one of their versions, and say so with 400', async () => {
    const model = await t.model();
    await t.checkpoint(model);
    const admin = as(t.api, await t.api.given.user({ teams: [{ id: (await team()).id, role: 'admin' }] }));
    const made = await admin('POST', '/v1/registries', { entity: t.ada.entity, name: 'shelf' });
    expect(made.status).toBe(201);
    const link = await admin('POST', `/v1/registries/${t.ada.entity}/shelf/collections`, {
      name: 'best',
      type: 'model',
    });
    expect(link.status).toBe(201);
    const linked = await admin('POST', `/v1/registries/${t.ada.entity}/shelf/collections/best/versions`, {
      artifact: `${t.ada.entity}/loom/${model.name}:latest`,
    });
    expect(linked.status).toBe(200);
    const refused = { status: 400, body: { code: 'checkpoint_in_use', detail: expect.stringContaining('shelf/best') } };
    expect(await t.ask('DELETE', model.path)).toMatchObject(refused);
    expect(await t.ask('DELETE', `${model.path}/checkpoints`, { steps: [1] })).toMatchObject(refused);
    expect((await t.ask('GET', model.path)).body).toMatchObject({ step: 1 });
  });

  it('are invisible to another team', async () => {
    const model = await t.model();
    const eve = as(t.api, await t.api.given.member());
    const calls = [
      ['GET', model.path],
      ['DELETE', model.path],
      ['GET', `${model.path}/checkpoints`],
      ['DELETE', `${model.path}/checkpoints`, { steps: [1] }],
      ['POST', `${model.path}/log`, { split: 'val', trajectory_groups: [] }],
      ['GET', `${model.path}/trajectories`],
      ['GET', `${model.path}/trajectories/${model.id}`],
    ] as const;
    for (const [method, path, body] of calls) {
      const answer = await eve(method, path, body);
      expect([method, path, answer.status, answer.body['code']]).toEqual([method, path, 404, 'model_not_found']);
      expect(JSON.stringify(answer.body)).not.toContain(t.ada.entity);
    }
    expect(pluck(await eve('GET', MODELS), 'id')).toEqual([]);
    const named = { entity: t.ada.entity, project: 'loom', name: model.name, base_model: BASE_MODEL };
    expect((await eve('POST', MODELS, { ...named, return_existing: true })).status).toBe(404);
  });

  it('are read but not written by viewers', async () => {
    const model = await t.model();
    const guest = await t.api.given.member();
    await t.api.database.pool.query(
      `INSERT INTO project_members (project_id, user_id, role)
       SELECT project_id, $1, 'viewer' FROM models WHERE id = $2`,
      [guest.id, model.id],
    );
    const ask = as(t.api, guest);
    expect((await ask('GET', model.path)).status).toBe(200);
    expect(pluck(await ask('GET', MODELS), 'id')).toContain(model.id);
    const named = { entity: t.ada.entity, project: 'loom', base_model: BASE_MODEL, return_existing: true };
    expect(await ask('POST', MODELS, { ...named, name: model.name })).toMatchObject({
      status: 200,
      body: { id: model.id },
    });
    expect((await ask('POST', MODELS, { ...named, name: 'guests-own' })).status).toBe(403);
    expect((await ask('DELETE', model.path)).status).toBe(403);
    expect((await ask('POST', `${model.path}/log`, { split: 'val', trajectory_groups: [] })).status).toBe(403);
  });

  async function team(): Promise<{ id: string }> {
    const { rows } = await t.api.database.pool.query<{ id: string }>('SELECT id FROM teams WHERE name = $1', [
      t.ada.entity,
    ]);
    return rows[0]!;
  }
});
