import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { EmbeddedEngine, GenerateEvent, SftExample, TrainRequest } from '@heddle/engine';
import { adapterFolder, BASE, chat, startEngine, train } from './engine.js';

const examples = (count: number): SftExample[] =>
  Array.from({ length: count }, (_, i) => ({
    messages: [
      { role: 'user', content: `What comes after ${i}? Answer in one word.` },
      { role: 'assistant', content: `${i + 1}` },
    ],
  }));

describe('the embedded engine', () => {
  let folder: Awaited<ReturnType<typeof adapterFolder>>;
  const engines: EmbeddedEngine[] = [];
  const start = async (threads?: number) => {
    const engine = await startEngine(threads);
    engines.push(engine);
    return engine;
  };
  const request = (name: string, count = 24, batchSize = 8): TrainRequest => ({
    base: BASE,
    from: null,
    to: folder.path(name),
    seed: 3,
    data: { kind: 'sft', examples: examples(count), config: { batch_size: batchSize, learning_rate: 1e-3 } },
  });
  const digest = (name: string) =>
    ['adapter_model.safetensors', 'optimizer.safetensors'].map((file) =>
      createHash('sha256')
        .update(readFileSync(join(folder.path(name), file)))
        .digest('hex'),
    );
  /** Ends a running thread from outside, as a crash would. */
  const kill = async (engine: EmbeddedEngine, which: 'training' | 'sampling') => {
    const [loaded] = engine['pool']['loaded'].values();
    const { threads } = loaded![which] as unknown as { threads: { worker: Worker | null }[] };
    await threads.find(({ worker }) => worker)!.worker!.terminate();
  };

  beforeEach(async () => (folder = await adapterFolder()));
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
    await folder.remove();
  });

  it('trains the same weights with one thread and with two, and again', async () => {
    await train(await start(1), request('one'));
    const two = await start(2);
    await train(two, request('two'));
    await train(two, request('again'));
    expect(digest('two')).toEqual(digest('one'));
    expect(digest('again')).toEqual(digest('one'));
  }, 60_000);

  it('trains jobs side by side as it trains them one by one', async () => {
    const engine = await start();
    await Promise.all([train(engine, request('beside-1')), train(engine, request('beside-2', 40))]);
    await train(engine, request('alone-1'));
    await train(engine, request('alone-2', 40));
    expect([digest('beside-1'), digest('beside-2')]).toEqual([digest('alone-1'), digest('alone-2')]);
  }, 60_000);

  it('goes on from an adapter with its optimiser state, as if it had never stopped', async () => {
    const engine = await start();
    const whole = request('whole', 16);
    await train(engine, whole);
    const all = examples(16);
    const part = (name: string, from: string | null, some: SftExample[]): TrainRequest => ({
      ...whole,
      from,
      to: folder.path(name),
      data: { kind: 'sft', examples: some, config: { batch_size: 8, learning_rate: 1e-3 } },
    });
    await train(engine, part('first', null, all.slice(0, 8)));
    await train(engine, part('second', folder.path('first'), all.slice(8)));
    expect(digest('second')).toEqual(digest('whole'));
  }, 60_000);

  it('fails a job whose thread dies, with a reason, and the next job works', async () => {
    const engine = await start();
    await train(engine, request('before', 8));
    const failing = train(engine, request('dying', 4000));
    const outcome = expect(failing).rejects.toMatchObject({ code: 'thread_died' });
    setTimeout(() => void kill(engine, 'training'), 300);
    await outcome;
    expect(existsSync(folder.path('dying'))).toBe(false);
    await train(engine, request('after', 8));
    expect(digest('after')).toEqual(digest('before'));
  }, 60_000);

  it('fails a completion whose thread dies, and the next one works', async () => {
    const engine = await start(1);
    await chat(engine, null, 'Hello', { maxTokens: 1 });
    const endless = chat(engine, null, 'Hello', { maxTokens: 900, ignoreEos: true });
    const outcome = expect(endless).rejects.toMatchObject({ code: 'thread_died' });
    setTimeout(() => void kill(engine, 'sampling'), 50);
    await outcome;
    expect(await chat(engine, null, 'Hello', { maxTokens: 3, ignoreEos: true })).toHaveLength(1);
  });

  it('stops a cancelled job within 100 ms and leaves nothing behind', async () => {
    const engine = await start();
    const waits: number[] = [];
    // The best of three: the machine may be busy with something else.
    for (const attempt of [1, 2, 3]) {
      const controller = new AbortController();
      const job = train(engine, request(`cancelled-${attempt}`, 4000, 200), controller.signal);
      const outcome = expect(job).rejects.toMatchObject({ code: 'cancelled' });
      await new Promise((resolve) => setTimeout(resolve, 500));
      const start = performance.now();
      controller.abort();
      await outcome;
      waits.push(performance.now() - start);
      expect(existsSync(folder.path(`cancelled-${attempt}`))).toBe(false);
    }
    expect(Math.min(...waits)).toBeLessThan(100);
  }, 60_000);

  it('tells a completion token by token, or whole: the same tokens and text', async () => {
    const engine = await start(1);
    const prompt = { messages: [{ role: 'user' as const, content: 'Hello' }] };
    const told = async (whole: boolean) => {
      const request = {
        base: BASE,
        adapter: null,
        prompt,
        options: { n: 2, seed: 1, maxTokens: 8, ignoreEos: true },
        whole,
      };
      const events: GenerateEvent[] = [];
      for await (const event of engine.generate(request)) events.push(event);
      const of = (choice: number) =>
        events.flatMap((each) => (each.type === 'tokens' && each.choice === choice ? [each] : []));
      return [of(0), of(1)];
    };
    const [pieces, wholes] = [await told(false), await told(true)];
    expect(pieces.map((events) => events.length)).toEqual([8, 8]);
    expect(wholes.map((events) => events.length)).toEqual([1, 1]);
    const joined = (events: (typeof pieces)[0]) => ({
      text: events.map(({ text }) => text).join(''),
      tokens: events.flatMap(({ tokens }) => tokens),
    });
    expect(wholes!.map(joined)).toEqual(pieces.map(joined));
  });

  it('stops sampling when the reader leaves, and frees the adapter', async () => {
    const engine = await start(1);
    await train(engine, request('left', 8));
    const prompt = { messages: [{ role: 'user' as const, content: 'Hello' }] };
    const options = { n: 4, maxTokens: 900, ignoreEos: true };
    for await (const event of engine.generate({ base: BASE, adapter: folder.path('left'), prompt, options })) {
      if (event.type === 'tokens') break;
    }
    const begun = performance.now();
    await chat(engine, folder.path('left'), 'Hello', { maxTokens: 1 });
    // Four completions of 900 tokens would still be under way.
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});
