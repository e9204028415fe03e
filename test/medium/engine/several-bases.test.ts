import { execFile } from 'node:child_process';
import { appendFile, truncate } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EmbeddedEngine, type SamplingOptions } from '@heddle/engine';
import fc from 'fast-check';
import { adapterFolder, train } from './engine.js';
import { randomBase } from './random-base.js';

const MIB = 1024 ** 2;
const IDS = ['a', 'b', 'c'];
const examples = Array.from({ length: 2 }, (_, i) => ({
  messages: [
    { role: 'user' as const, content: `What comes after ${i}?` },
    { role: 'assistant' as const, content: `${i + 1}` },
  ],
}));

describe('several base models in one process', () => {
  let folder: Awaited<ReturnType<typeof adapterFolder>>;
  const engines: EmbeddedEngine[] = [];
  /** Of which two fit, and not the third. */
  const start = async (patience?: number) => {
    const models = IDS.map((id) => ({ id, directory: folder.path(id) }));
    const memoryBytes = 50 * MIB;
    const options = { threads: 1, cacheBytes: 8 * MIB, adapters: 4, memoryBytes, patience };
    const engine = await EmbeddedEngine.create({ models, ...options });
    engines.push(engine);
    return engine;
  };
  const ask = async (engine: EmbeddedEngine, base: string, options: SamplingOptions, signal?: AbortSignal) => {
    const prompt = { tokenIds: [65, 66, 67] };
    const tokens: number[] = [];
    for await (const event of engine.generate({ base, adapter: null, prompt, options }, signal)) {
      if (event.type === 'tokens') tokens.push(...event.tokens.map(({ id }) => id));
    }
    return tokens;
  };
  const loaded = (engine: EmbeddedEngine) => engine['pool'].ids;
  const short = { maxTokens: 4, temperature: 0, ignoreEos: true };
  const job = (base: string, name: string) => ({
    base,
    from: null,
    to: folder.path(name),
    seed: 1,
    data: { kind: 'sft' as const, examples, config: { batch_size: 1 } },
  });

  beforeAll(async () => {
    folder = await adapterFolder();
    const shape = { hiddenSize: 256, feedForwardSize: 512, heads: 8, keyValueHeads: 4, headSize: 32, layers: 4 };
    await Promise.all(IDS.map((id, seed) => randomBase(folder.path(id), seed + 1, shape)));
  });
  afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close())));
  afterAll(() => folder.remove());

  it('answers with each, and lets the least recently used go where the next does not fit beside it', async () => {
    const engine = await start();
    const first = await ask(engine, 'a', short);
    const second = await ask(engine, 'b', short);
    expect(loaded(engine)).toEqual(['a', 'b']);
    expect(await ask(engine, 'a', short)).toEqual(first);
    await ask(engine, 'c', short);
    expect(loaded(engine)).toEqual(['a', 'c']);
    expect(await ask(engine, 'b', short)).toEqual(second);
    expect(first).not.toEqual(second);
  }, 30_000);

  it('says after a while which are in use where all are, and never takes one from who uses it', async () => {
    const engine = await start(200);
    const holds = ['a', 'b'].map((id) => {
      const model = engine['model'](id);
      return engine['pool'].hold(model, { sampling: true, rooms: [0] }, engine['patienceFor']());
    });
    const held = await Promise.all(holds);
    await expect(ask(engine, 'c', short)).rejects.toMatchObject({
      code: 'out_of_memory',
      message: 'there is no memory for c as long as a, b are in use',
    });
    expect(loaded(engine).sort()).toEqual(['a', 'b']);
    held.forEach(({ release }) => release());
    expect(await ask(engine, 'c', short)).toHaveLength(4);
  }, 60_000);

  it('lets a job wait until there is memory for it', async () => {
    const engine = await start(200);
    const models = ['a', 'b'].map((id) => engine['model'](id));
    const wanted = { sampling: true, rooms: [0] };
    const held = await Promise.all(models.map((model) => engine['pool'].hold(model, wanted, engine['patienceFor']())));
    let ended = false;
    const training = train(engine, job('c', 'waited')).finally(() => (ended = true));
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(ended).toBe(false);
    held[0]!.release();
    expect((await training).at(-1)).toMatchObject({ type: 'ended' });
    expect(loaded(engine)).toEqual(['b', 'c']);
    held[1]!.release();
  }, 30_000);

  it('lets nobody overtake for ever: who waits longest for memory is next', async () => {
    const engine = await start(20_000);
    const hold = (id: string) =>
      engine['pool'].hold(engine['model'](id), { sampling: true, rooms: [0] }, engine['patienceFor']());
    const held = await Promise.all([hold('a'), hold('b')]);
    const order: string[] = [];
    const training = train(engine, job('c', 'next')).finally(() => order.push('job on c'));
    await new Promise((resolve) => setTimeout(resolve, 1200));
    // Base a is in memory, and this could start at once: then the next one could, and a would never be idle.
    const chat = ask(engine, 'a', short).finally(() => order.push('chat on a'));
    held[0]!.release();
    await Promise.all([training, chat]);
    held[1]!.release();
    expect(order).toEqual(['job on c', 'chat on a']);
  }, 30_000);

  it('gives up a job that waits as soon as it is cancelled', async () => {
    const engine = await start(200);
    const held = await Promise.all(
      ['a', 'b'].map((id) =>
        engine['pool'].hold(engine['model'](id), { sampling: true, rooms: [0] }, engine['patienceFor']()),
      ),
    );
    const controller = new AbortController();
    const training = train(engine, job('c', 'cancelled'), controller.signal);
    setTimeout(() => controller.abort(), 100);
    await expect(training).rejects.toMatchObject({ code: 'cancelled' });
    held.forEach(({ release }) => release());
  }, 30_000);

  it('serves any requests and jobs that come together, each with what its base alone would say', async () => {
    const reference = await start();
    const expected = new Map<string, number[]>();
    for (const id of IDS) expected.set(id, await ask(reference, id, short));
    await reference.close();
    let jobs = 0;
    const one = fc.record({ base: fc.constantFrom(...IDS), kind: fc.constantFrom('chat', 'chat', 'chat', 'job') });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 4, maxLength: 10 }), async (requests) => {
        const engine = await start(60_000);
        const most = { bytes: 0 };
        const limit = engine['pool']['limit'];
        const watch = setInterval(() => (most.bytes = Math.max(most.bytes, limit.bytes - limit.free)), 1);
        const answers = requests.map(async ({ base, kind }) => {
          if (kind === 'chat') expect(await ask(engine, base, short)).toEqual(expected.get(base));
          else expect((await train(engine, job(base, `job-${jobs++}`))).at(-1)).toMatchObject({ type: 'ended' });
        });
        await Promise.all(answers).finally(() => clearInterval(watch));
        expect(most.bytes).toBeLessThanOrEqual(limit.bytes);
        expect([...engine['pool']['loaded'].values()].every(({ users }) => users === 0)).toBe(true);
        await engine.close();
      }),
      { numRuns: 6 },
    );
  }, 120_000);

  it('loads a base again once its files are mended, and goes on with the others meanwhile', async () => {
    await randomBase(folder.path('damaged'), 9, {});
    const weights = folder.path('damaged/model.safetensors');
    const engine = await start();
    await engine.add({ id: 'd', directory: folder.path('damaged') });
    await truncate(weights, 5000);
    await expect(ask(engine, 'd', short)).rejects.toMatchObject({ code: 'bad_model' });
    expect(await ask(engine, 'a', short)).toHaveLength(4);
    expect(loaded(engine)).toEqual(['a']);
    await appendFile(weights, '');
    await randomBase(folder.path('mended'), 9, {});
    await engine.add({ id: 'd', directory: folder.path('mended') });
    expect(await ask(engine, 'd', short)).toHaveLength(4);
    engine.remove('d');
    await expect(ask(engine, 'd', short)).rejects.toMatchObject({ code: 'invalid_request' });
  }, 30_000);

  it('refuses one that can never fit, with what it needs and what there is', async () => {
    await randomBase(folder.path('large'), 5, {
      hiddenSize: 512,
      feedForwardSize: 4096,
      heads: 16,
      keyValueHeads: 16,
      headSize: 32,
    });
    const engine = await start();
    await expect(engine.add({ id: 'large', directory: folder.path('large') })).rejects.toMatchObject({
      code: 'bad_model',
      message: expect.stringMatching(/^needs \d+ MB, the embedded engine holds at most 50 MB \(ENGINE_MEMORY_MB\)$/),
    });
    expect(engine.baseModels().map(({ id }) => id)).toEqual(IDS);
  });

  it('refuses a rank that memory does not allow, with the figure', async () => {
    const engine = await start();
    expect(() => engine.checkAdapter('a', { rank: 8 })).not.toThrow();
    expect(() => engine.checkAdapter('a', { rank: 64 })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        param: 'lora_rank',
        message: expect.stringMatching(/^a LoRA rank of 64 on a needs \d+ MB, .* at most 50 MB/),
      }),
    );
  });

  it('gives the memory of what it unloads back to the system', async () => {
    const sizes = { hiddenSize: 512, feedForwardSize: 2048, heads: 8, keyValueHeads: 8, headSize: 64, layers: 4 };
    const directories = await Promise.all(
      ['x', 'y', 'z'].map((name, seed) => randomBase(folder.path(name), seed, sizes)),
    );
    const script = 'test/medium/engine/several-bases-process.mjs';
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...directories]);
    const { idle, resident, bytes } = JSON.parse(stdout) as { idle: number; resident: number[]; bytes: number };
    expect(bytes).toBeGreaterThan(60e6);
    const times = resident.map((each) => (each - idle) / bytes);
    expect(times[0]).toBeGreaterThan(0.9);
    // Not what all three take together, but one, and what reading it leaves behind until it is collected.
    expect(times[2]).toBeLessThan(times[0]! + 0.5);
  }, 60_000);
});
