import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedEngine, SHIPPED_MODELS, type TrainData, type TrainEvent, type TrainRequest } from '@heddle/engine';
import { adapterFolder, BASE, train } from './engine.js';

const STEPS = 6;
const answer = (i: number) => ({
  index: 0,
  message: { role: 'assistant' as const, content: 'an answer' },
  prompt_token_ids: [1, 20 + i, 30],
  token_ids: Array.from({ length: 12 }, (_, j) => 40 + i + j),
  logprobs: { content: Array.from({ length: 12 }, (_, j) => ({ token: `token_id:${40 + i + j}`, logprob: -1 })) },
});
const groups = Array.from({ length: STEPS }, (_, g) => ({
  exceptions: 0,
  trajectories: [0, 1, 2].map((reward) => ({
    reward,
    messages_and_choices: [{ role: 'user' as const, content: `${g}` }, answer(3 * g + reward)],
  })),
}));
const examples = Array.from({ length: STEPS }, (_, i) => ({
  messages: [
    { role: 'user' as const, content: `What comes after ${i}?` },
    { role: 'assistant' as const, content: `${i + 1}` },
  ],
}));
const JOBS: [string, TrainData][] = [
  ['reinforcement learning', { kind: 'rl', groups, config: { learning_rate: 1e-4, packed_sequence_length: 32 } }],
  [
    'reinforcement learning whose old log probabilities are those of its start, with a KL penalty',
    {
      kind: 'rl',
      groups,
      config: {
        learning_rate: 1e-4,
        packed_sequence_length: 32,
        precalculate_logprobs: true,
        kl_penalty_coef: 0.1,
      },
    },
  ],
  ['fine-tuning', { kind: 'sft', examples, config: { batch_size: 1, learning_rate: 1e-4 } }],
];

describe.each(JOBS)('a job of %s that is interrupted', (_, data) => {
  let engine: EmbeddedEngine;
  let folder: Awaited<ReturnType<typeof adapterFolder>>;
  let whole: TrainEvent[];
  const request = (to: string, state?: string): TrainRequest => ({
    ...{ base: BASE, from: null, to: folder.path(to), seed: 3, data },
    ...(state !== undefined && { state: folder.path(state) }),
  });
  /** Begins the job, and ends with as many steps. */
  async function interrupt(state: string, steps: number): Promise<TrainEvent[]> {
    const controller = new AbortController();
    const told: TrainEvent[] = [];
    const run = async () => {
      for await (const event of engine.train(request(`never-${state}-${steps}`, state), controller.signal)) {
        told.push(event);
        // At the step after them, whose event nobody hears.
        if (event.type === 'step' && event.index === steps) controller.abort();
      }
    };
    await expect(run()).rejects.toMatchObject({ code: 'cancelled' });
    return told;
  }
  const digest = async (name: string) => {
    const files = (await readdir(folder.path(name))).sort();
    const contents = await Promise.all(files.map((file) => readFile(join(folder.path(name), file))));
    return contents.map((content, i) => `${files[i]} ${createHash('sha256').update(content).digest('hex')}`);
  };
  const steps = (events: TrainEvent[]) => events.filter(({ type }) => type === 'step').map(({ metrics }) => metrics);
  /** All but how long it took. */
  const measured = (events: TrainEvent[]) => steps(events).map(({ tokens_per_second: _, ...metrics }) => metrics);

  beforeAll(async () => {
    engine = await EmbeddedEngine.create({
      models: SHIPPED_MODELS,
      ...{ threads: 2, cacheBytes: 64 * 1024 ** 2, adapters: 4, memoryBytes: 1024 ** 3, keepEveryMs: 0 },
    });
    folder = await adapterFolder();
    whole = await train(engine, request('whole'));
    expect(steps(whole).length).toBeGreaterThanOrEqual(STEPS);
  });
  afterAll(async () => {
    await engine.close();
    await folder.remove();
  });

  it('goes on from its last step, to the same weights, and tells everything once more', async () => {
    const before = await interrupt('state', 3);
    const again = await train(engine, request('again', 'state'));
    // Time that they took included: they were not computed again.
    expect(steps(again).slice(0, 3)).toEqual(steps(before).slice(0, 3));
    expect(measured(again)).toEqual(measured(whole));
    expect(again.map(({ type }) => type)).toEqual(whole.map(({ type }) => type));
    expect(await digest('again')).toEqual(await digest('whole'));
  });

  it('may be interrupted again and again', async () => {
    for (const count of [1, 2, 4]) await interrupt('often', count);
    const again = await train(engine, request('often-again', 'often'));
    expect(measured(again)).toEqual(measured(whole));
    expect(await digest('often-again')).toEqual(await digest('whole'));
  });

  it('begins anew where what it kept is broken, or was kept only in part', async () => {
    await interrupt('broken', 3);
    const names = await readdir(folder.path('broken'));
    expect(names.length).toBeGreaterThan(0);
    const file = names.find((name) => !name.endsWith('.json'))!;
    await writeFile(join(folder.path('broken'), file, 'adapter_model.safetensors'), 'half');
    const again = await train(engine, request('broken-again', 'broken'));
    expect(measured(again)).toEqual(measured(whole));
    expect(await digest('broken-again')).toEqual(await digest('whole'));
  });

  it('keeps nothing where nothing may be kept, and trains all the same', async () => {
    await writeFile(folder.path('a-file'), '');
    const again = await train(engine, request('unkept', 'a-file'));
    expect(measured(again)).toEqual(measured(whole));
  });
});
