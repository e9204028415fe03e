import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { as, pluck } from '../accounts/requests.js';
import { group, type Json, TrainingSystem } from './training-system.js';

const JOBS = '/v1/preview/training-jobs';
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** No worker runs: what is asked for here is the API's doing. */
describe('training jobs', () => {
  let t: TrainingSystem;
  let model: string;
  beforeAll(async () => {
    t = await TrainingSystem.start();
    model = await t.model();
  });
  afterAll(() => t.close());

  it('wait for a worker, and say what they are', async () => {
    const body = t.body(model, 1, { learning_rate: 1e-4, epsilon: null, some_new_key: 'x' });
    const answer = await t.ask('POST', JOBS, body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.any(String),
      kind: 'rl',
      state: 'QUEUED',
      model_id: model,
      config: { learning_rate: 1e-4, some_new_key: 'x' },
      training_data_url: null,
      from_step: null,
      step: null,
      num_sequences: null,
      attempts: 0,
      error: null,
      warnings: [],
      cancel_requested: false,
      created_by: t.ada.username,
      created_at: expect.any(String),
      started_at: null,
      ended_at: null,
    });
    expect(await t.job(String(answer.body['id']))).toEqual(answer.body);
  });

  it('are two where one body came twice, and are listed by model and state, oldest first', async () => {
    const other = await t.model();
    const ids = [await t.train(other), await t.train(other), await t.train(other)];
    const path = `/v1/preview/models/${other}/training-jobs`;
    const first = await t.ask('GET', `${path}?limit=2`);
    expect(pluck(first, 'id')).toEqual(ids.slice(0, 2));
    expect(pluck(await t.ask('GET', `${path}?after=${ids[1]}`), 'id')).toEqual(ids.slice(2));
    await t.ask('POST', `${JOBS}/${ids[1]}/cancel`);
    expect(pluck(await t.ask('GET', `${path}?state=CANCELLED`), 'id')).toEqual([ids[1]]);
    expect(pluck(await t.ask('GET', `${path}?state=QUEUED&order=desc`), 'id')).toEqual([ids[2], ids[0]]);
  });

  it('are listed across models, newest first, to whoever may see them', async () => {
    const models = [await t.model(), await t.model()];
    const ids = [await t.train(models[0]!), await t.train(models[1]!)];
    await t.ask('POST', `${JOBS}/${ids[0]}/cancel`);
    expect(pluck(await t.ask('GET', `${JOBS}?limit=2`), 'id')).toEqual([ids[1], ids[0]]);
    expect(pluck(await t.ask('GET', `${JOBS}?model_id=${models[0]}`), 'id')).toEqual([ids[0]]);
    expect(pluck(await t.ask('GET', `${JOBS}?state=CANCELLED&limit=1`), 'id')).toEqual([ids[0]]);
    expect(pluck(await t.ask('GET', `${JOBS}?project=elsewhere`), 'id')).toEqual([]);
    const stranger = as(t, await t.given.member());
    expect(pluck(await stranger('GET', JOBS), 'id')).toEqual([]);
  });

  describe('of a request that is repeated', () => {
    const post = (path: string, body: unknown, key?: string) =>
      fetch(`${t.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${t.ada.key}`,
          'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }).then(async (answer) => ({ status: answer.status, body: (await answer.json()) as Json }));
    const files = async () => (await readdir(join(t.env.DATA_DIR, 'trajectories'))).length;

    it.each(['header', 'field'])('are one, also when they come at once: by %s', async (by) => {
      const other = await t.model();
      const body = t.body(other, 1);
      const send = (name: string) =>
        by === 'header' ? post(JOBS, body, name) : post(JOBS, { ...body, client_job_id: name });
      const before = await files();
      const answers = await Promise.all(Array.from({ length: 5 }, () => send('mine')));
      expect(new Set(answers.map(({ status, body: job }) => `${status} ${String(job['id'])}`)).size).toBe(1);
      expect(await files()).toBe(before + 1);
      expect((await send('another')).body['id']).not.toBe(answers[0]!.body['id']);
      const list = await t.ask('GET', `/v1/preview/models/${other}/training-jobs`);
      expect(pluck(list, 'id')).toHaveLength(2);
    });

    it('are one of each user and model', async () => {
      const other = await t.model();
      const ids = [await post(JOBS, t.body(model, 1), 'same'), await post(JOBS, t.body(other, 1), 'same')];
      expect(ids[0]!.body['id']).not.toBe(ids[1]!.body['id']);
    });

    it('say so where the settings are others', async () => {
      await post(JOBS, t.body(model, 1), 'settings');
      const again = await post(JOBS, t.body(model, 1, { learning_rate: 1 }), 'settings');
      expect(again).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['header', 'idempotency-key'], type: 'idempotency_key_reused' }] },
      });
      expect((await post(JOBS, t.body(model, 1), '')).status).toBe(422);
      expect((await post(JOBS, { ...t.body(model, 1), client_job_id: 5 })).status).toBe(422);
    });

    it('are one where their data comes with the request, and make one artifact', async () => {
      const other = await t.model();
      const line = '{"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}\n';
      const upload = `/v1/preview/sft-training-jobs/upload?model_id=${other}`;
      const first = await post(upload, line, 'upload');
      expect(first.status).toBe(200);
      expect((await post(upload, line, 'upload')).body).toEqual(first.body);
      expect((await post(`${upload}&client_job_id=upload`, line)).body).toEqual(first.body);
      const url = first.body['training_data_url'];
      const sft = { model_id: other, training_data_url: url };
      const second = await post('/v1/preview/sft-training-jobs', sft, 'by-url');
      expect(second.body).toMatchObject({ kind: 'sft', training_data_url: url });
      expect((await post('/v1/preview/sft-training-jobs', { ...sft, client_job_id: 'by-url' })).body).toEqual(
        second.body,
      );
      const versions = await t.database.pool.query('SELECT 1 FROM artifact_versions');
      expect(versions.rowCount).toBe(1);
    });
  });

  it('give their trajectories back as they came', async () => {
    const body = t.body(model, 3);
    (body['trajectory_groups'] as Json[]).push({ trajectories: [], exceptions: [{ type: 'E', message: 'é\n' }], x: 1 });
    const { body: job } = await t.ask('POST', JOBS, body);
    const kept = await t.ask('GET', `${JOBS}/${String(job['id'])}/trajectories`);
    expect(kept.body).toEqual({ trajectory_groups: body['trajectory_groups'] });
  });

  it('say that their trajectories are gone where they are', async () => {
    const id = await t.train(model);
    await t.loseFiles(id);
    expect((await t.ask('GET', `${JOBS}/${id}/trajectories`)).status).toBe(404);
  });

  it('may be sent without a group at all', async () => {
    expect((await t.ask('POST', JOBS, { model_id: model, trajectory_groups: [] })).status).toBe(200);
  });

  it.each<[string, (body: Json) => Json, string]>([
    ['no model', ({ trajectory_groups }) => ({ trajectory_groups }), 'body.model_id'],
    ['a model that is no id', (body) => ({ ...body, model_id: 'loom' }), 'body.model_id'],
    ['no groups', ({ model_id }) => ({ model_id }), 'body.trajectory_groups'],
    [
      'a setting of the wrong kind',
      (body) => ({ ...body, experimental_config: { ppo: 'yes' } }),
      'body.experimental_config.ppo',
    ],
    [
      'a reward that is a text',
      (body) => ({ ...body, trajectory_groups: [group('a', ['1' as never])] }),
      'body.trajectory_groups.0.trajectories.0.reward',
    ],
  ])('with %s are refused, and the place is named', async (_, change, place) => {
    const answer = await t.ask('POST', JOBS, change(t.body(model)));
    expect(answer.status).toBe(422);
    const detail = answer.body['detail'] as { loc: string[] }[];
    expect(detail.map(({ loc }) => loc.join('.'))).toEqual([place]);
  });

  it.each([
    ['kimi_k2_tau', -1, 'from 0 on'],
    ['packed_sequence_length', 1, 'a whole number from 2 on'],
    ['truncated_importance_sampling', 0, 'above 0'],
    ['max_negative_advantage_importance_sampling_weight', 0, 'above 0'],
    ['num_trajectories_learning_rate_multiplier_power', 9, 'from -4 to 4'],
  ])('with %s = %j, which no engine takes, are refused by its name', async (name, value, bound) => {
    const config = { learning_rate: 1e-4, [name]: value };
    const { status, body } = await t.ask('POST', JOBS, t.body(model, 1, config));
    expect({ status, detail: body['detail'] }).toEqual({
      status: 422,
      detail: [
        {
          loc: ['body', 'experimental_config', name],
          msg: expect.stringMatching(new RegExp(`^must be .*${bound}$`)),
          type: 'config_value',
          input: value,
        },
      ],
    });
  });

  it('are for those who have a role in the project, and made by its members', async () => {
    const id = await t.train(model);
    const eve = as(t, await t.given.member());
    const viewer = await t.viewer();
    const requests = [
      ['GET', `${JOBS}/${id}`, undefined, 200],
      ['GET', `${JOBS}/${id}/events`, undefined, 200],
      ['GET', `${JOBS}/${id}/trajectories`, undefined, 200],
      ['GET', `/v1/preview/models/${model}/training-jobs`, undefined, 200],
      ['POST', JOBS, t.body(model), 403],
      ['POST', `${JOBS}/${id}/cancel`, undefined, 403],
    ] as const;
    for (const [method, path, body, forViewer] of requests) {
      expect([path, (await as(t, viewer)(method, path, body)).status]).toEqual([path, forViewer]);
      expect([path, (await eve(method, path, body)).status]).toEqual([path, 404]);
    }
  });

  it('that are not there are not found', async () => {
    expect((await t.ask('GET', `${JOBS}/${NOBODY}`)).body['code']).toBe('training_job_not_found');
    expect((await t.ask('POST', JOBS, t.body(NOBODY))).body['code']).toBe('model_not_found');
    expect((await t.ask('GET', `/v1/preview/models/${NOBODY}/training-jobs`)).status).toBe(404);
    expect((await t.ask('GET', `${JOBS}/loom`)).status).toBe(422);
  });

  it('go with their model', async () => {
    const other = await t.model();
    const id = await t.train(other);
    await t.ask('DELETE', `/v1/preview/models/${other}`);
    expect((await t.ask('GET', `${JOBS}/${id}`)).status).toBe(404);
    expect((await t.ask('POST', JOBS, t.body(other))).status).toBe(404);
  });
});
