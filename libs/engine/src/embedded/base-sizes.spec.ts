import { TINY_CONFIG } from '../model/tiny-model.fixture.js';
import { MemoryLimit } from '../tensor/memory-limit.js';
import { MOST_BYTES } from '../tensor/tensor-memory.js';
import type { SequenceTree } from '../training/sequence-tree.js';
import type { DescribedModel } from './base-model.js';
import { BaseSizes, megabytes } from './base-sizes.js';

const MIB = 1024 ** 2;

describe('BaseSizes', () => {
  const model = { config: TINY_CONFIG, precision: 'float32', info: { id: 'tiny' } } as unknown as DescribedModel;
  const longer = { ...model, config: { ...TINY_CONFIG, contextLength: 8192 } };
  const sizes = (bytes: number, threads = 2, cacheBytes = 16 * MIB) =>
    new BaseSizes(new MemoryLimit(bytes), threads, cacheBytes);
  const row = (length: number): SequenceTree[] => [
    { prefix: new Int32Array(), branches: [{ tokens: new Int32Array(length), targets: Int32Array.of(length - 1) }] },
  ];

  it('counts what each thread needs by itself', () => {
    const [one, two, three] = [1, 2, 3].map((threads) => sizes(512 * MIB, threads).base(model));
    expect(two! - one!).toBeGreaterThan(0);
    expect(three! - two!).toBe(two! - one!);
  });

  it('gives caches what was asked for, less where the engine has less, and never less than a few', () => {
    const [most, some, least] = [512, 15, 1].map((mib) => sizes(mib * MIB).sampling(model));
    expect(most).toBeGreaterThan(16 * MIB);
    expect(some).toBeLessThan(most!);
    expect(least).toBeGreaterThanOrEqual(2 * 4 * MIB);
    expect(least).toBeLessThan(some!);
  });

  it('has room for a sequence of any length that the model takes', () => {
    expect(sizes(512 * MIB, 2, 1).sampling(longer)).toBeGreaterThan(sizes(512 * MIB, 2, 1).sampling(model));
  });

  it('counts a job before it starts: its longest row, all of it where there is room, the inputs of layers where not', () => {
    const [most, least] = sizes(2048 * MIB).job(longer, 8, [row(4000)]) as [number, number];
    expect(least).toBeLessThan(most);
    const [shorter] = sizes(2048 * MIB).job(longer, 8, [row(400)]) as [number];
    expect(shorter).toBeLessThan(most);
    const tight = sizes(sizes(0).base(longer) + least + 1);
    expect(tight.job(longer, 8, [row(4000)])).toEqual([least + 1, least]);
  });

  it('refuses a job that even the least is too much for, with all the figures', () => {
    const [, least] = sizes(2048 * MIB).job(longer, 8, [row(4000)]) as [number, number];
    const tight = sizes(sizes(0).base(longer) + least - 1);
    expect(() => tight.job(longer, 8, [row(10), row(4000)])).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: expect.stringContaining(`has 4,000 tokens: to train it on 2 threads takes ${megabytes(least)} beside`),
      }),
    );
  });

  it('refuses what can never be held, and says which limit it is', () => {
    const refusal = (bytes: number) => {
      try {
        sizes(bytes).checkBase({ ...model, config: { ...TINY_CONFIG, vocabularySize: bytes / 100 } });
        return null;
      } catch (error) {
        return error;
      }
    };
    expect(sizes(512 * MIB).checkBase(model)).toBeUndefined();
    expect(refusal(64 * MIB)).toMatchObject({
      code: 'bad_model',
      message: expect.stringContaining('ENGINE_MEMORY_MB'),
    });
    expect(refusal(2 * MOST_BYTES)).toMatchObject({ message: expect.stringContaining('for one base model') });
  });

  it('refuses a rank of which no pass could train an adapter', () => {
    const base = sizes(0).base(model);
    expect(() => sizes(512 * MIB).checkRank(model, 64)).not.toThrow();
    expect(() => sizes(base + MIB / 4).checkRank(model, 64)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'lora_rank' }),
    );
  });
});
