import { describe, expect, it } from '@jest/globals';
import { LookupCache } from './lookup-cache.js';

/** A cache whose look-ups answer 1, 2, 3, ... */
function counting(options: { seconds?: number; maxEntries?: number } = {}) {
  const clock = { time: 1000, now: () => clock.time };
  const cache = new LookupCache<number>({ seconds: 5, maxEntries: 100, clock, ...options });
  let count = 0;
  const ask = (key = 'a') => cache.get(key, () => Promise.resolve(++count));
  return { ask, cache, clock };
}

describe('LookupCache', () => {
  it('asks once for all who ask at the same time', async () => {
    const { ask } = counting();
    expect(await Promise.all([ask(), ask(), ask('b'), ask()])).toEqual([1, 1, 2, 1]);
  });

  it('remembers an answer for its seconds and no longer', async () => {
    const { ask, clock } = counting({ seconds: 5 });
    await ask();
    clock.time += 4999;
    expect(await ask()).toBe(1);
    clock.time += 2;
    expect(await ask()).toBe(2);
  });

  it('remembers nothing for 0 seconds, and still asks once at a time', async () => {
    const { ask } = counting({ seconds: 0 });
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    expect(await ask()).toBe(2);
  });

  it('holds no more answers than it may', async () => {
    const { ask } = counting({ maxEntries: 2 });
    for (const key of ['a', 'b', 'c']) await ask(key);
    expect(await ask('c')).toBe(3);
    expect(await ask('a')).toBe(4);
  });

  it('does not remember a failure', async () => {
    const { ask, cache } = counting();
    await expect(cache.get('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await ask()).toBe(1);
  });

  it('forgets also the answer that was on its way when it was cleared', async () => {
    const { ask, cache } = counting();
    let answerLate = (_: number): void => undefined;
    const late = cache.get('a', () => new Promise((resolve) => (answerLate = resolve)));
    cache.clear();
    answerLate(99);
    expect(await late).toBe(99);
    expect(await ask()).toBe(1);
  });
});
