import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedEngine, type GenerateRequest } from '@heddle/engine';
import { builtFile } from '../../../libs/engine/src/tensor/built-file.js';
import { adapterFolder } from './engine.js';

const SEEDS = [1, 2, 3, 4, 5, 6];

describe('generation_config.json', () => {
  let engine: EmbeddedEngine;
  let folder: Awaited<ReturnType<typeof adapterFolder>>;

  beforeAll(async () => {
    folder = await adapterFolder();
    const directory = folder.path('greedy');
    await cp(builtFile('base-models/shuttle'), directory, { recursive: true });
    await writeFile(join(directory, 'generation_config.json'), JSON.stringify({ eos_token_id: 257, top_k: 1 }));
    engine = await EmbeddedEngine.create({
      models: [{ id: 'greedy', directory }],
      threads: 1,
      cacheBytes: 2 ** 24,
      adapters: 1,
      memoryBytes: 2 ** 29,
    });
  });
  afterAll(async () => {
    await engine.close();
    await folder.remove();
  });

  async function answers(request: Partial<GenerateRequest>): Promise<Set<string>> {
    const texts = SEEDS.map(async (seed) => {
      const prompt = { messages: [{ role: 'user' as const, content: 'Tell me something.' }] };
      const options = { maxTokens: 12, seed, ...request.options };
      let text = '';
      for await (const event of engine.generate({ base: 'greedy', adapter: null, prompt, ...request, options })) {
        if (event.type === 'tokens') text += event.text;
      }
      return text;
    });
    return new Set(await Promise.all(texts));
  }

  it('says how is sampled where a request does not', async () => {
    expect((await answers({})).size).toBe(1);
    expect((await answers({ options: { topK: 0 } })).size).toBeGreaterThan(1);
  });

  it('says nothing about what is trained on: those are samples of the distribution that training assumes', async () => {
    expect((await answers({ forTraining: true })).size).toBeGreaterThan(1);
  });
});
