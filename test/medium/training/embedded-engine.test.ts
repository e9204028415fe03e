import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { choice, type Json, TrainingSystem } from './training-system.js';

const PROMPT = [1, 20, 30, 40];

/** Rollouts of one prompt, each a sampled token with its log probability. */
const rollouts = (answers: [token: number, reward: number][]): Json => ({
  trajectories: answers.map(([token, reward]) => ({
    messages_and_choices: [
      { role: 'user', content: 'yes, no or maybe?' },
      { ...choice(token, -1.5), token_ids: [token], prompt_token_ids: PROMPT },
    ],
    reward,
  })),
});

/** With the engine that ships; `npm run build` makes its kernels. */
describe('the embedded engine', () => {
  let t: TrainingSystem;
  let model: string;
  beforeAll(async () => {
    t = await TrainingSystem.start({ ENGINE_THREADS: '1' });
    await t.startWorker(null);
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    model = await t.model();
  });

  async function train(body: Json): Promise<Json> {
    const { body: job } = await t.ask('POST', '/v1/preview/training-jobs', { model_id: model, ...body });
    return t.ended(String(job['id']));
  }

  it('learns from rewards, step by step, and goes on from its own checkpoint', async () => {
    const groups = [
      rollouts([
        [50, 1],
        [60, 0],
        [70, 0],
      ]),
    ];
    for (const step of [1, 2]) {
      const job = await train({ trajectory_groups: groups, experimental_config: { learning_rate: 1e-3 } });
      expect(job).toMatchObject({ state: 'FINISHED', error: null, step, from_step: step - 1, num_sequences: 1 });
      const [started, gradient, ended] = await t.events(String(job['id']));
      expect(started!.data).toMatchObject({ num_sequences: 1, num_groups_submitted: 1 });
      expect(gradient!.data).toMatchObject({ policy_loss: expect.any(Number), grad_norm: expect.any(Number) });
      expect(ended!.type).toBe('training_ended');
    }
    const names = Object.keys((await t.history(model)).at(-1)!['metrics'] as Json);
    expect(names).toEqual(expect.arrayContaining(['train/loss', 'train/reward', 'train/reward_std_dev']));
  });

  it.each([
    [
      'all rewards are equal',
      [
        rollouts([
          [50, 1],
          [60, 1],
        ]),
      ],
    ],
    ['every group has one trajectory', [rollouts([[50, 1]])]],
    ['there are no groups', []],
  ])('makes a checkpoint where %s, and says why nothing was learnt', async (_, trajectory_groups) => {
    await train({ trajectory_groups });
    const job = await train({ trajectory_groups });
    expect(job).toMatchObject({ state: 'FINISHED', num_sequences: 0, step: 2 });
    const [, ended] = await t.events(String(job['id']));
    expect(ended!.data).toMatchObject({ reason: expect.any(String) });
    expect((await t.weights(model, 2))[1]).toEqual((await t.weights(model, 1))[1]);
  });

  describe('on recorded exchanges', () => {
    let name: string;
    beforeEach(async () => {
      const { body } = await t.ask('GET', `/v1/preview/models/${model}`);
      name = `wandb-artifact:///${String(body['entity'])}/${String(body['project'])}/${String(body['name'])}`;
    });
    const recorded = (asked: string, token: number, content = 'maybe'): Json => ({
      start_time: '2026-11-28T20:47:53Z',
      request: { model: asked, messages: [{ role: 'user', content }] },
      response: { choices: [{ ...choice(token, -1.5), token_ids: [token] }], prompt_token_ids: PROMPT },
    });
    const started = async (job: Json) => (await t.events(String(job['id'])))[0]!.data;
    const trainOn = (...exchanges: Json[]) =>
      train({ trajectory_groups: [{ trajectories: exchanges.map((each, reward) => ({ exchanges: each, reward })) }] });

    it('learns as from the same choices written down, and keeps them as they came', async () => {
      const chats = [50, 60].map((token) => ({ chat_completions: [recorded(name, token), recorded('judge', 3)] }));
      const job = await trainOn(...chats);
      expect(job).toMatchObject({ state: 'FINISHED', error: null, num_sequences: 1, warnings: [] });
      expect(await started(job)).toMatchObject({ num_trainable_tokens: 2 });
      const written = await t.model();
      const same = {
        model_id: written,
        trajectory_groups: [
          rollouts([
            [50, 0],
            [60, 1],
          ]),
        ],
      };
      const { body } = await t.ask('POST', '/v1/preview/training-jobs', same);
      await t.ended(String(body['id']));
      const losses = async (id: unknown) => (await t.events(String(id)))[1]!.data['policy_loss'];
      expect(await losses(job['id'])).toBe(await losses(body['id']));
      const kept = await t.ask('GET', `/v1/preview/training-jobs/${String(job['id'])}/trajectories`);
      expect(kept.body).toMatchObject({ trajectory_groups: [{ trajectories: [{ exchanges: chats[0] }, {}] }] });
    });

    it('ends with a warning where there is nothing in them that can be trained on', async () => {
      const response = { request: { model: name }, response: { output: [] } };
      const job = await trainOn({ responses: [response] }, { chat_completions: [recorded('judge', 3)] });
      expect(job).toMatchObject({ state: 'FINISHED', num_sequences: 0, step: 1 });
      expect(job['warnings']).toEqual([
        expect.stringContaining('/v1/responses'),
        expect.stringContaining('another model'),
      ]);
    });

    it('fails at once where they are nested too deeply', async () => {
      const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
      const text = JSON.stringify({
        model_id: model,
        trajectory_groups: [{ trajectories: [{ exchanges: { chat_completions: [recorded(name, 5, 'DEEP')] } }] }],
      });
      const answer = await fetch(`${t.url}/v1/preview/training-jobs`, {
        method: 'POST',
        headers: { ...t.ada.bearer, 'content-type': 'application/json' },
        body: text.replace('"DEEP"', deep),
      });
      const job = await t.ended(String(((await answer.json()) as Json)['id']));
      expect(job).toMatchObject({ state: 'FAILED', attempts: 1, error: 'A trajectory is nested too deeply' });
    });

    it('names the place of a token that there is not', async () => {
      const job = await trainOn({ chat_completions: [recorded(name, 5)] }, { chat_completions: [recorded(name, 1e6)] });
      const place = 'trajectory_groups[0].trajectories[1].exchanges.chat_completions[0].response.choices[0]';
      expect(job).toMatchObject({ state: 'FAILED', error: expect.stringContaining(place) });
    });
  });

  it('trains on what the assistant is said to have said, where log probabilities needn’t be known', async () => {
    const trajectories = ['yes', 'no'].map((content, reward) => ({
      messages_and_choices: [
        { role: 'user', content: 'yes or no?' },
        { role: 'assistant', content },
      ],
      reward,
    }));
    const body = { trajectory_groups: [{ trajectories }] };
    expect(await train(body)).toMatchObject({ state: 'FINISHED', num_sequences: 0 });
    const allowed = await train({ ...body, experimental_config: { allow_training_without_logprobs: true } });
    expect(allowed).toMatchObject({ state: 'FINISHED', error: null, num_sequences: 1, warnings: [] });
    const lines = trajectories.map(({ messages_and_choices: messages }) => JSON.stringify({ messages })).join('\n');
    const upload = await fetch(`${t.url}/v1/preview/sft-training-jobs/upload?model_id=${model}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.ada.key}`, 'content-type': 'application/x-ndjson' },
      body: lines,
    });
    const fineTuning = await t.ended(String(((await upload.json()) as Json)['id']));
    const trained = async ({ id }: Json) => (await t.events(String(id)))[0]!.data['num_trainable_tokens'];
    expect(await trained(allowed)).toBe(await trained(fineTuning));
  });

  it('trains on 10,000 trajectories', async () => {
    const groupOf100 = rollouts(Array.from({ length: 100 }, (_, i) => [40 + i, i % 7]));
    const job = await train({ trajectory_groups: Array.from({ length: 100 }, () => groupOf100) });
    expect(job).toMatchObject({ state: 'FINISHED', error: null, step: 1 });
    const [started, ...rest] = await t.events(String(job['id']));
    expect(started!.data).toMatchObject({ num_trajectories: 10_000, num_trainable_tokens: 10_000 });
    expect(rest.filter(({ type }) => type === 'gradient_step')).toHaveLength(started!.data['num_sequences'] as number);
  });

  it('fine-tunes on lines', async () => {
    const line = (word: string): string =>
      JSON.stringify({
        messages: [
          { role: 'user', content: `who wove the ${word}?` },
          { role: 'assistant', content: 'ada' },
        ],
      });
    const path = `/v1/preview/sft-training-jobs/upload?model_id=${model}&batch_size=2&learning_rate=0.001`;
    const body = ['flax', 'wool', 'silk'].map(line).join('\n');
    const answer = await fetch(t.url + path, { method: 'POST', headers: t.ada.bearer, body });
    const { id } = (await answer.json()) as { id: string };
    expect(await t.ended(id)).toMatchObject({ state: 'FINISHED', error: null, num_sequences: 2 });
    const [, first] = await t.events(id);
    expect(first!.data).toMatchObject({ loss: expect.any(Number), num_trainable_tokens: expect.any(Number) });
  });
});
