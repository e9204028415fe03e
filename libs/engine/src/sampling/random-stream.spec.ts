import { randomSeed, RandomStream } from './random-stream.js';

const take = (stream: RandomStream, count: number): number[] => Array.from({ length: count }, () => stream.next());

describe('RandomStream', () => {
  it('repeats for the same seed and choice', () => {
    expect(take(new RandomStream(7, 3), 50)).toEqual(take(new RandomStream(7, 3), 50));
  });

  it('takes any integer for a seed: negative, or of 64 bits', () => {
    const firsts = [-1, 0, 1, 2 ** 53 - 1, -(2 ** 63), 2 ** 62].map((seed) => new RandomStream(seed, 0).next());
    expect(new Set(firsts).size).toBe(firsts.length);
  });

  it('is uniform: 100,000 numbers in 100 equal bins', () => {
    const counts = new Float64Array(100);
    for (const u of take(new RandomStream(42, 0), 100_000)) counts[Math.floor(u * 100)]!++;
    const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    // 99 degrees of freedom: between the quantiles 0.001 and 0.999.
    expect(chiSquare).toBeGreaterThan(61);
    expect(chiSquare).toBeLessThan(149);
  });

  it.each([
    ['choices', (i: number) => new RandomStream(5, i)],
    ['seeds', (i: number) => new RandomStream(i, 0)],
  ])('shares nothing between neighbouring %s', (_, stream) => {
    const count = 2000;
    const first = Array.from({ length: count }, (_, i) => stream(i).next() - 0.5);
    const mean = first.reduce((a, b) => a + b, 0) / count;
    const correlation = first.slice(1).reduce((sum, value, i) => sum + value * first[i]!, 0) / (count / 12);
    // Four standard errors.
    expect(Math.abs(mean)).toBeLessThan(4 * Math.sqrt(1 / 12 / count));
    expect(Math.abs(correlation)).toBeLessThan(4 / Math.sqrt(count));
  });

  it('draws seeds that differ and are safe integers', () => {
    const seeds = Array.from({ length: 100 }, randomSeed);
    expect(seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0)).toBe(true);
    expect(new Set(seeds).size).toBe(100);
  });
});
