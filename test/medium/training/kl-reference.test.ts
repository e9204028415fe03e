import type { INestApplication } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { choice, type Json, TrainingSystem } from './training-system.js';

const JOBS = '/v1/preview/training-jobs';
const LOC = ['body', 'experimental_config'];

/** Two rollouts of one prompt, one of which is better. */
const GROUPS = [
  {
    trajectories: [50, 60].map((token, reward) => ({
      messages_and_choices: [
        { role: 'user', content: 'yes or no?' },
        { ...choice(token, -1.5), token_ids: [token], prompt_token_ids: [1, 20, 30, 40] },
      ],
      reward,
    })),
  },
];

/** With the engine that ships. */
describe('the KL penalty of a job', () => {
  let t: TrainingSystem;
  let model: string;
  let worker: INestApplication | null = null;
  beforeAll(async () => {
    t = await TrainingSystem.start({ ENGINE_THREADS: '1' });
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    model = await t.model();
    worker = await t.startWorker(null);
  });
  afterEach(async () => {
    if (worker) await t.stopWorker(worker);
  });

  const post = (config: Json) =>
    t.ask('POST', JOBS, { model_id: model, trajectory_groups: GROUPS, experimental_config: config });
  async function train(config: Json): Promise<Json> {
    const { body } = await post(config);
    return t.ended(String(body['id']));
  }
  /** Mean of log p(latest checkpoint) - log p(reference), over the tokens; nothing is learnt. */
  async function meanKl(reference: Json): Promise<number> {
    const penalty = { kl_penalty_coef: 0.1, kl_penalty_source: 'current_learner', learning_rate: 0 };
    const job = await train({ ...penalty, ...reference });
    expect(job).toMatchObject({ state: 'FINISHED', error: null, warnings: [] });
    return (await t.events(String(job['id'])))[1]!.data['kl_policy_ref'] as number;
  }
  const remove = (force: boolean, ...steps: number[]) =>
    t.ask('DELETE', `/v1/preview/models/${model}/checkpoints`, { steps, force });

  it('compares with the checkpoint of the step that it names, or that lies so many steps back', async () => {
    await train({ learning_rate: 1e-2 });
    const oneToBase = await meanKl({});
    await train({ learning_rate: 1e-2 });
    // Steps 1 and 2 have the same weights, and so have 3 and those that follow it.
    const toBase = await meanKl({ kl_penalty_reference_step: 0 });
    const toOne = await meanKl({ kl_penalty_reference_step: 1 });
    expect(await meanKl({})).toBe(toBase);
    expect(await meanKl({ kl_penalty_reference_step: 3 })).toBe(0);
    expect(toOne).toBeCloseTo(toBase - oneToBase, 5);
    expect(Math.abs(toOne)).toBeGreaterThan(1e-3);
    // From step 7 on.
    expect(await meanKl({ kl_penalty_step_lag: 6 })).toBe(toOne);
    expect(await meanKl({ kl_penalty_step_lag: 5 })).toBe(0);
    expect(await meanKl({ kl_penalty_step_lag: 100 })).toBe(toBase);
  });

  it.each([
    ['one that is not made yet', { kl_penalty_reference_step: 3 }, 'kl_penalty_reference_step'],
    ['a deleted one', { kl_penalty_reference_step: 1 }, 'kl_penalty_reference_step'],
    ['a deleted one, by its lag', { kl_penalty_step_lag: 1 }, 'kl_penalty_step_lag'],
    ['none', { kl_penalty_reference_step: -1 }, 'kl_penalty_reference_step'],
    ['itself', { kl_penalty_step_lag: 0 }, 'kl_penalty_step_lag'],
    ['two', { kl_penalty_reference_step: 2, kl_penalty_step_lag: 1 }, 'kl_penalty_step_lag'],
  ])('is refused for %s', async (_, reference, name) => {
    for (const step of [1, 2]) expect(await train({ learning_rate: 0 })).toMatchObject({ step });
    expect((await remove(false, 1)).status).toBe(200);
    const { status, body } = await post({ kl_penalty_coef: 0.1, ...reference });
    expect([status, body['detail']]).toMatchObject([422, [{ loc: [...LOC, name] }]]);
    expect((await post({ kl_penalty_coef: 0.1, kl_penalty_reference_step: 2 })).status).toBe(200);
  });

  it('keeps its reference from being deleted, and fails where it is all the same', async () => {
    for (const step of [1, 2]) expect(await train({ learning_rate: 0 })).toMatchObject({ step });
    await t.stopWorker(worker!);
    worker = null;
    const { body } = await post({ kl_penalty_coef: 0.1, kl_penalty_reference_step: 1 });
    const why = `Step 1 is what the KL penalty of job '${String(body['id'])}' compares with`;
    expect(await remove(false, 1)).toMatchObject({ status: 400, body: { code: 'checkpoint_in_use', detail: why } });
    expect((await remove(true, 1)).status).toBe(200);
    worker = await t.startWorker(null);
    expect(await t.ended(String(body['id']))).toMatchObject({
      state: 'FAILED',
      error: 'The KL penalty compares with step 1, whose checkpoint is deleted',
    });
  });
});
