import { Random } from './random.js';

const draws = (seed: number, stream?: number) => {
  const random = new Random(seed, stream);
  return Array.from({ length: 20 }, () => random.next());
};

describe('Random', () => {
  it('repeats for the same seed and stream, and only then', () => {
    expect(draws(1, 2)).toEqual(draws(1, 2));
    expect(draws(1, 2)).not.toEqual(draws(1, 3));
    expect(draws(1, 2)).not.toEqual(draws(2, 2));
    expect(draws(1, 2)).not.toEqual(draws(2, 1));
  });

  it('is what it was when the base model was made', () => {
    expect(draws(1).slice(0, 3)).toMatchInlineSnapshot(`
     [
       0.5374428329523653,
       0.45416540931910276,
       0.08243005652911961,
     ]
    `);
  });

  it('is uniform', () => {
    const random = new Random(3);
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 10_000; i++) counts[random.between(0, 9)]!++;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  it('draws in proportion to weights, never what weighs nothing', () => {
    const random = new Random(4);
    const counts = [0, 0, 0];
    for (let i = 0; i < 4000; i++) counts[random.weighted([3, 0, 1])]!++;
    expect(counts[1]).toBe(0);
    expect(counts[0]! / 4000).toBeCloseTo(0.75, 1);
  });

  it('samples without repeating, from short lists and from long ones', () => {
    const random = new Random(5);
    const long = Array.from({ length: 100 }, (_, i) => i);
    for (let i = 0; i < 100; i++) {
      expect(random.sample(['a', 'b', 'c'], 3).toSorted()).toEqual(['a', 'b', 'c']);
      expect(new Set(random.sample(long, 5)).size).toBe(5);
    }
  });

  it('refuses to pick from nothing', () => {
    const random = new Random(6);
    expect(() => random.pick([])).toThrow('nothing to pick from');
    expect(() => random.sample([1], 2)).toThrow('only 1 items, not 2');
  });
});
