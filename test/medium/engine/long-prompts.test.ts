import type { Worker } from 'node:worker_threads';
import type { EmbeddedEngine, SampledToken } from '@heddle/engine';
import { BASE, startEngine } from './engine.js';

const PROMPT = Array.from({ length: 980 }, (_, i) => 65 + ((i * 7) % 26));

interface Thread {
  worker: Worker | null;
  listeners: Map<number, unknown>;
  board: SharedArrayBuffer | null;
}

describe('A long prompt', () => {
  const engines: EmbeddedEngine[] = [];
  const start = async (threads: number) => {
    const engine = await startEngine(threads);
    engines.push(engine);
    return engine;
  };
  const answer = async (engine: EmbeddedEngine) => {
    const options = { maxTokens: 8, ignoreEos: true, seed: 3 };
    const tokens: SampledToken[] = [];
    for await (const event of engine.generate({ base: BASE, adapter: null, prompt: { tokenIds: PROMPT }, options }))
      if (event.type === 'tokens') tokens.push(...event.tokens);
    return tokens;
  };
  const threadsOf = (engine: EmbeddedEngine) => {
    const [loaded] = engine['pool']['loaded'].values();
    return (loaded!['sampling'] as unknown as { threads: Thread[] }).threads;
  };
  const moment = () => new Promise((resolve) => setTimeout(resolve, 1));

  let expected: SampledToken[];
  beforeAll(async () => {
    expected = await answer(await start(1));
  }, 30_000);
  afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close())));

  it('is computed by all threads that have nothing else to do, to the same bits', async () => {
    const engine = await start(3);
    expect(await answer(engine)).toEqual(expected);
    // One of them asked, and two were asked.
    expect(threadsOf(engine).every(({ worker, board }) => worker !== null && board !== null)).toBe(true);
  }, 30_000);

  it('is answered with the same bits where a thread dies that helps with it', async () => {
    const engine = await start(2);
    const answered = answer(engine);
    const helping = () => threadsOf(engine).find(({ board, listeners }) => board !== null && listeners.size === 0);
    while (!engine['pool']['loaded'].size || !engine['pool']['loaded'].values().next().value!['sampling'])
      await moment();
    while (!helping()) await moment();
    await helping()!.worker!.terminate();
    expect(await answered).toEqual(expected);
  }, 30_000);
});
