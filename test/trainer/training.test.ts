import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedEngine, type Engines, type RlConfig, type TrainData } from '@heddle/engine';
import { readAdapter } from '../../libs/engine/src/files/adapter-directory.js';
import { openModel } from '../../libs/engine/src/files/model-directory.js';
import { adapterFolder } from '../medium/engine/engine.js';
import { embeddedChange, remoteChange } from './gradients.js';
import { answerOf, BASE, baseDirectory, eventsOf, fact, PATIENT, remoteEngine, request } from './trainer.js';

const LEARNT = 'Zed is in the harbour.';

describe('a base model that a server of the Tinker protocol trains', () => {
  let engine: Engines;
  let folder: Awaited<ReturnType<typeof adapterFolder>>;

  beforeAll(async () => {
    engine = await remoteEngine();
    folder = await adapterFolder();
    await eventsOf(engine.train(request(fact(40), folder.path('learnt'))));
  }, PATIENT);

  afterAll(async () => {
    await engine.close();
    await folder.remove();
  });

  it('learns a fact, and the server samples it', async () => {
    expect((await answerOf(engine, folder.path('learnt'), 'Where is Zed?')).text).toBe(LEARNT);
    expect((await answerOf(engine, null, 'Where is Zed?')).text).not.toBe(LEARNT);
  }, 240_000);

  it(
    'says of each step what the server tells, and warns of what it can not do',
    async () => {
      const [started, step, ...rest] = await eventsOf(engine.train(request(fact(4), folder.path('one'))));
      expect(started).toMatchObject({ numSequences: 1, warnings: [expect.stringContaining("doesn't clip gradients")] });
      expect(step).toMatchObject({ type: 'step', metrics: { loss: expect.any(Number), num_trainable_tokens: 92 } });
      expect(step).not.toHaveProperty('metrics.grad_norm');
      expect(rest).toMatchObject([{ type: 'ended', reason: null }]);
    },
    PATIENT,
  );

  it('brings the adapter here: the embedded engine computes the same with it', async () => {
    const directory = folder.path('learnt');
    expect((await readdir(directory)).sort()).toEqual([
      'adapter_config.json',
      'adapter_model.safetensors',
      'remote.json',
    ]);
    const config = JSON.parse(await readFile(join(directory, 'adapter_config.json'), 'utf8')) as object;
    expect(config).toMatchObject({ base_model_name_or_path: BASE, target_modules: expect.arrayContaining(['q_proj']) });
    const embedded = await EmbeddedEngine.create({
      models: [{ id: BASE, directory: baseDirectory() }],
      threads: 2,
      cacheBytes: 64 * 1024 ** 2,
      adapters: 4,
      memoryBytes: 1024 ** 3,
    });
    const here = await answerOf(embedded as unknown as Engines, directory, 'Where is Zed?');
    await embedded.close();
    const there = await answerOf(engine, directory, 'Where is Zed?');
    expect(here.text).toBe(LEARNT);
    expect(here.tokens.map(({ id }) => id)).toEqual(there.tokens.map(({ id }) => id));
    here.tokens.forEach(({ logprob }, i) => expect(logprob).toBeCloseTo(there.tokens[i]!.logprob, 3));
  }, 240_000);

  it(
    'goes on with the optimiser: two jobs are one that is twice as long',
    async () => {
      const data = fact(4, 1, 1e-3);
      await eventsOf(engine.train(request(fact(2, 1, 1e-3), folder.path('first'))));
      await eventsOf(engine.train(request(fact(2, 1, 1e-3), folder.path('second'), folder.path('first'))));
      await eventsOf(engine.train(request(data, folder.path('whole'))));
      const { config } = await openModel(baseDirectory());
      const whole = await readAdapter(folder.path('whole'), config);
      const halves = await readAdapter(folder.path('second'), config);
      const first = await readAdapter(folder.path('first'), config);
      for (const [key, values] of whole.tensors) {
        expect(distance(halves.tensors.get(key)!, values)).toBeLessThan(
          1e-3 * distance(first.tensors.get(key)!, values),
        );
      }
    },
    PATIENT,
  );

  it(
    'goes on from its last step where it was interrupted',
    async () => {
      const state = folder.path('state');
      const job = { ...request(fact(6, 1, 1e-3), folder.path('interrupted')), state };
      for await (const event of engine.train(job)) if (event.type === 'step' && event.index === 3) break;
      const kept = (await readdir(state)).filter((name) => !name.endsWith('.json'));
      expect(kept).toEqual(['step-3']);
      const events = await eventsOf(engine.train(job));
      expect(events.map(({ type }) => type)).toEqual(['started', ...Array<string>(6).fill('step'), 'ended']);
      await eventsOf(engine.train(request(fact(6, 1, 1e-3), folder.path('at-once'))));
      const { config } = await openModel(baseDirectory());
      const resumed = await readAdapter(folder.path('interrupted'), config);
      for (const [key, values] of (await readAdapter(folder.path('at-once'), config)).tensors) {
        expect(distance(resumed.tensors.get(key)!, values)).toBeLessThan(1e-4 * norm(values) + 1e-6);
      }
    },
    PATIENT,
  );

  it("refuses what it can't go on from, and what can't be sampled there", async () => {
    await mkdir(folder.path('elsewhere'));
    const onward = eventsOf(engine.train(request(fact(4), folder.path('never'), folder.path('elsewhere'))));
    await expect(onward).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/was not trained on 127.0.0.1/),
    });
    const asked = answerOf(engine, null, 'x', { minP: 0.1, maxTokens: 4 });
    await expect(asked).rejects.toMatchObject({ code: 'invalid_request', param: 'min_p' });
  });

  it(
    'ends at once when it is cancelled',
    async () => {
      const controller = new AbortController();
      const run = async (): Promise<void> => {
        const events = engine.train(request(fact(40, 1), folder.path('cancelled')), controller.signal);
        for await (const { type } of events) if (type === 'step') controller.abort();
      };
      await expect(run()).rejects.toMatchObject({ code: 'cancelled' });
      await expect(readdir(folder.path('cancelled'))).rejects.toThrow('ENOENT');
    },
    PATIENT,
  );

  describe('moves weights as the embedded engine does', () => {
    const answers = (g: number) =>
      [0, 1, 2].map((reward) => ({
        reward: reward + g,
        messages_and_choices: [
          { role: 'user' as const, content: `${g}` },
          {
            index: 0,
            message: { role: 'assistant' as const, content: 'an answer' },
            prompt_token_ids: [1, 20 + g, 30],
            token_ids: Array.from({ length: 12 }, (_, j) => 40 + 7 * reward + g + j),
            logprobs: {
              content: Array.from({ length: 12 }, (_, j) => ({
                token: `token_id:${40 + 7 * reward + g + j}`,
                logprob: -1 - (j % 5),
              })),
            },
          },
        ],
      }));
    const rl = (config: RlConfig): TrainData => ({
      kind: 'rl',
      groups: [0, 1].map((g) => ({ exceptions: 0, trajectories: answers(g) })),
      config: { ...config, learning_rate: 1e3 },
    });

    it.each<[string, TrainData]>([
      ['CISPO', rl({})],
      ['PPO', rl({ ppo: true })],
      ['a ratio for each sequence', rl({ ppo: true, importance_sampling_level: 'sequence' })],
      ['a KL penalty', rl({ kl_penalty_coef: 0.5 })],
      ['fine-tuning', fact(3, 3, 1e3)],
    ])(
      '%s',
      async (_, data) => {
        const [here, there] = [
          await embeddedChange(folder.path('learnt'), data),
          await remoteChange(folder.path('learnt'), data),
        ];
        expect(norm(here)).toBeGreaterThan(0);
        expect(distance(here, there)).toBeLessThan(1e-3 * norm(here));
      },
      PATIENT,
    );
  });
});

const norm = (values: Float32Array): number => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
const distance = (a: Float32Array, b: Float32Array): number => norm(a.map((value, i) => value - b[i]!));
