import { readFileSync } from 'node:fs';
import { EmbeddedEngine } from '@heddle/engine';
import { adapterFolder, train } from './engine.js';
import { randomBase } from './random-base.js';

const MIB = 1024 ** 2;
const CONTEXT = 8192;

describe('a context of 8,192 tokens', () => {
  let folder: Awaited<ReturnType<typeof adapterFolder>>;
  const engines: EmbeddedEngine[] = [];
  const start = async (megabytes: number) => {
    const models = [{ id: 'long', directory: folder.path('base') }];
    const options = { threads: 1, cacheBytes: 32 * MIB, adapters: 1, memoryBytes: megabytes * MIB };
    const engine = await EmbeddedEngine.create({ models, ...options });
    engines.push(engine);
    return engine;
  };
  const examples = [
    {
      messages: [
        { role: 'user' as const, content: 'Count.' },
        { role: 'assistant' as const, content: Array.from({ length: 3000 }, (_, i) => i % 97).join(' ') },
      ],
    },
  ];
  const learn = (engine: EmbeddedEngine, name: string) => {
    const data = { kind: 'sft' as const, examples, config: { batch_size: 1, learning_rate: 1e-4 } };
    return train(engine, { base: 'long', from: null, to: folder.path(name), seed: 1, data });
  };

  beforeAll(async () => {
    folder = await adapterFolder();
    const shape = { hiddenSize: 64, feedForwardSize: 192, heads: 2, keyValueHeads: 1, headSize: 32, layers: 6 };
    await randomBase(folder.path('base'), 1, { ...shape, contextLength: CONTEXT });
  });
  afterAll(async () => {
    await Promise.all(engines.map((engine) => engine.close()));
    await folder.remove();
  });

  it('is learned with little memory as with much: the same weights', async () => {
    const events = await learn(await start(1024), 'plain');
    expect(events.find(({ type }) => type === 'step')!.metrics['num_tokens']).toBeGreaterThan(8000);
    await learn(await start(130), 'small');
    const weights = (name: string) => readFileSync(`${folder.path(name)}/adapter_model.safetensors`);
    expect(weights('small').equals(weights('plain'))).toBe(true);
  }, 120_000);

  it('is refused before the job starts where there is no memory for it, with what helps', async () => {
    const engine = await start(60);
    await expect(learn(engine, 'refused')).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(
        /^the longest sequence has 8,\d+ tokens: .* takes \d+ MB beside the \d+ MB of the base model, and the engine has 60 MB\. Shorter sequences/,
      ),
    });
  }, 30_000);

  it('is read and gone on with', async () => {
    const engine = await start(130);
    const tokenIds = Array.from({ length: CONTEXT - 8 }, (_, i) => 65 + (i % 26));
    const request = { base: 'long', adapter: null, prompt: { tokenIds }, options: { ignoreEos: true } };
    let count = 0;
    for await (const event of engine.generate(request)) count += event.type === 'tokens' ? event.tokens.length : 0;
    expect(count).toBe(8);
  }, 60_000);
});
