import { SlidingWindow } from './sliding-window.js';

/** The windows that end at each of the values. */
function windowsOf(values: number[], size: number): SlidingWindow['summary'][] {
  const window = new SlidingWindow(size);
  return values.map((value) => {
    window.push(value);
    return window.summary;
  });
}

describe('SlidingWindow', () => {
  it.each([1, 2, 3, 7, 50])('summarises the last %d values at each step, sums of whole numbers exactly', (size) => {
    const values = Array.from({ length: 200 }, (_, n) => ((n * 7919) % 101) - 50);
    windowsOf(values, size).forEach((summary, n) => {
      const last = values.slice(Math.max(0, n + 1 - size), n + 1);
      const sum = last.reduce((total, value) => total + value, 0);
      const mean = sum / last.length;
      const squares = last.reduce((total, value) => total + (value - mean) ** 2, 0);
      expect(summary).toMatchObject({ count: last.length, newest: values[n], sum });
      expect([summary.min, summary.max]).toEqual([Math.min(...last), Math.max(...last)]);
      expect(summary.squares).toBeCloseTo(squares, 6);
    });
  });

  it('gives back the value that leaves, and none while it fills', () => {
    const window = new SlidingWindow(2);
    expect([1, 2, 3, 4, 5].map((value) => window.push(value))).toEqual([undefined, undefined, 1, 2, 3]);
    expect(new SlidingWindow(0).push(7)).toBe(7);
  });

  it('is full from its last place on', () => {
    const window = new SlidingWindow(2);
    expect([1, 2, 3].map((value) => (window.push(value), window.isFull))).toEqual([false, true, true]);
  });

  it('forgets a huge value once it has left', () => {
    expect(windowsOf([1e300, 0.5, 0.5, 0.5], 3).at(-1)).toMatchObject({ max: 0.5, sum: 1.5, squares: 0 });
  });
});
