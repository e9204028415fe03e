import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EngineError } from '@heddle/engine';
import { group, TrainingSystem } from './training-system.js';

const JOBS = '/v1/preview/training-jobs';

describe('a worker', () => {
  let t: TrainingSystem;
  let model: string;
  beforeAll(async () => {
    t = await TrainingSystem.start();
    await t.startWorker();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    t.engine.reset();
    model = await t.model();
    t.published.length = 0;
  });

  it('gives the first adapter the rank of the model, or leaves it to the base model', async () => {
    for (const [lora_rank, shape] of [
      [12, { rank: 12 }],
      [null, {}],
    ] as const) {
      await t.ended(await t.train(await t.model({ lora_rank }), 1));
      expect(t.engine.trainings.at(-1)!.request.shape).toEqual(shape);
    }
  });

  it('sets the run of the model going again, which a client may have ended', async () => {
    const { body } = await t.ask('GET', `/v1/preview/models/${model}`);
    const run = `/v1/projects/${t.ada.entity}/loom/runs/${String(body['run_name'])}`;
    await t.ask('PATCH', run, { state: 'FINISHED' });
    await t.ended(await t.train(model, 1));
    expect((await t.ask('GET', run)).body['state']).toBe('RUNNING');
  });

  it('trains a job: events, a checkpoint, and metrics in the run of the model', async () => {
    const id = await t.train(model, 3);
    expect(await t.ended(id)).toMatchObject({
      state: 'FINISHED',
      from_step: 0,
      step: 1,
      num_sequences: 3,
      attempts: 1,
      error: null,
      started_at: expect.any(String),
      ended_at: expect.any(String),
    });
    const [started, ...rest] = await t.events(id);
    expect(started).toMatchObject({ type: 'training_started', data: { num_sequences: 3, num_trajectories: 3 } });
    const ended = rest.pop()!;
    expect(ended).toMatchObject({ type: 'training_ended', data: { step: 1, reward: 0.5 } });
    expect(rest.map(({ type }) => type)).toEqual(Array(3).fill('gradient_step'));
    for (const { data } of rest) expect(Object.values(data).every((value) => typeof value === 'number')).toBe(true);

    const { body } = await t.ask('GET', `/v1/preview/models/${model}/checkpoints`);
    const losses = rest.map(({ data }) => data['policy_loss'] as number);
    const loss = losses.reduce((sum, value) => sum + value, 0) / 3;
    const metrics = {
      'train/loss': expect.closeTo(loss, 9),
      'train/reward': 0.5,
      'train/grad_norm': expect.closeTo(0.1),
    };
    expect(body['data']).toMatchObject([{ step: 1, metrics, training_job_id: id }]);
    const [point] = await t.history(model);
    expect(point).toMatchObject({ step: 1, metrics });
  });

  it('gives the engine the groups as they are, the settings without nulls, and a seed of the job', async () => {
    const set = { learning_rate: 1e-3, ppo: true, kl_penalty_coef: 0.1, kl_penalty_source: 'current_learner' };
    const body = t.body(model, 1, { ...set, epsilon: null, unheard_of: 1, plot_tensors: true });
    const { body: job } = await t.ask('POST', JOBS, body);
    const id = String(job['id']);
    expect(await t.ended(id)).toMatchObject({ warnings: ['Ignored settings: unheard_of'] });
    const [{ request, items }] = t.engine.trainings as [(typeof t.engine.trainings)[0]];
    expect(request).toMatchObject({ base: 'heddle/shuttle-1m', from: null, seed: Number.parseInt(id.slice(0, 8), 16) });
    expect(request.data.config).toEqual(set);
    expect(items).toEqual([
      {
        exceptions: 0,
        trajectories: [0, 1].map((reward) =>
          expect.objectContaining({ reward, messages_and_choices: expect.any(Array) }),
        ),
      },
    ]);
  });

  it('goes on from the latest checkpoint, step after step', async () => {
    const ids = [await t.train(model), await t.train(model)];
    for (const id of ids) await t.ended(id);
    expect(await t.steps(model)).toEqual([1, 2]);
    expect(t.engine.trainings.map(({ request }) => request.from === null)).toEqual([true, false]);
    expect(await t.job(ids[1]!)).toMatchObject({ from_step: 1, step: 2 });
  });

  it('runs the jobs of one model in the order in which they came, and those of different models side by side', async () => {
    const other = await t.model();
    t.engine.holdAt(1);
    const [first, second, beside] = [await t.train(model), await t.train(model), await t.train(other)];
    await t.until(first, ({ state }) => state === 'RUNNING');
    await t.until(beside, ({ state }) => state === 'RUNNING');
    expect(await t.job(second)).toMatchObject({ state: 'QUEUED', started_at: null });
    t.engine.release();
    await t.ended(second);
    const ends = await Promise.all([first, second].map(async (id) => (await t.job(id))['ended_at']));
    expect([...ends].sort()).toEqual(ends);
    expect(await t.job(beside)).toMatchObject({ state: expect.stringMatching(/RUNNING|FINISHED/) });
  });

  it('makes a checkpoint also where there is nothing to learn, with the weights as they were', async () => {
    await t.ended(await t.train(model));
    const body = { model_id: model, trajectory_groups: [group('alone', [1])] };
    const { body: job } = await t.ask('POST', JOBS, body);
    const id = String(job['id']);
    expect(await t.ended(id)).toMatchObject({ state: 'FINISHED', step: 2, num_sequences: 0 });
    const events = await t.events(id);
    expect(events.map(({ type }) => type)).toEqual(['training_started', 'training_ended']);
    expect(events[0]!.data['num_sequences']).toBe(0);
    expect(events[1]!.data['reason']).toBe('All rewards equal');
    expect(await t.weights(model, 2)).toEqual(await t.weights(model, 1));
  });

  it('tells why a job failed, makes no checkpoint of it, and goes on with the next', async () => {
    t.engine.failure = { step: 1, error: new EngineError('diverged', 'The loss is not finite any more') };
    const failed = await t.train(model);
    expect(await t.ended(failed)).toMatchObject({
      state: 'FAILED',
      error: 'The loss is not finite any more',
      attempts: 1,
      step: null,
    });
    const events = await t.events(failed);
    expect(events.map(({ type }) => type)).toEqual(['training_started', 'gradient_step', 'training_failed']);
    expect(events.at(-1)!.data).toEqual({ error_message: 'The loss is not finite any more' });
    t.engine.failure = null;
    expect(await t.ended(await t.train(model))).toMatchObject({ state: 'FINISHED', step: 1 });
  });

  it('tries again what is no fault of the job, and tells its user nothing of the inside', async () => {
    t.engine.failure = { step: 1, error: new Error('secret path /x/y') };
    const id = await t.train(model);
    expect(await t.ended(id)).toMatchObject({
      state: 'FAILED',
      attempts: 3,
      error: expect.not.stringContaining('secret'),
    });
    expect(await t.types(id)).toEqual(['training_started', 'gradient_step', 'training_failed']);
  });

  it('fails a job whose trajectories are gone', async () => {
    t.engine.holdAt(0);
    const blocker = await t.train(model);
    const doomed = await t.train(model);
    await t.loseFiles(doomed);
    t.engine.release();
    await t.ended(blocker);
    expect(await t.ended(doomed)).toMatchObject({ state: 'FAILED', error: expect.stringContaining('not stored') });
  });

  it('tells automations of each state once', async () => {
    const id = await t.train(model);
    await t.ended(id);
    const states = t.published.filter((event) => event.type === 'TRAINING_JOB_STATE');
    expect(states.map(({ state, job }) => [state, job])).toEqual([
      ['RUNNING', expect.objectContaining({ id, kind: 'rl', step: null })],
      ['FINISHED', expect.objectContaining({ id, modelId: model, step: 1 })],
    ]);
    expect(states[0]).toMatchObject({ actor: { username: t.ada.username }, place: { entity: t.ada.entity } });
    const others = t.published.map(({ type }) => type).filter((type) => type !== 'TRAINING_JOB_STATE');
    expect(others).toEqual(expect.arrayContaining(['CREATE_ARTIFACT', 'ADD_ARTIFACT_ALIAS', 'RUN_METRICS_LOGGED']));
  });

  it('leaves nothing in its work folder', async () => {
    t.engine.failure = { step: 1, error: new EngineError('diverged', 'no') };
    await t.ended(await t.train(model));
    t.engine.failure = null;
    await t.ended(await t.train(model));
    await t.settled();
    expect(await readdir(join(t.env.DATA_DIR, 'training'))).toEqual([]);
  });

  it('trains on though the run of the model was deleted', async () => {
    await t.database.pool.query('DELETE FROM runs WHERE id = (SELECT run_id FROM models WHERE id = $1)', [model]);
    expect(await t.ended(await t.train(model))).toMatchObject({ state: 'FINISHED' });
  });
});
