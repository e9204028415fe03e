import { movingAverage } from './moving-average.js';

describe('movingAverage', () => {
  it('weighs what came before, and starts at the first value', () => {
    expect(movingAverage([8, 2, 5], 0.5)).toEqual([8, (0.5 * 8 + 2) / 1.5, (0.25 * 8 + 0.5 * 2 + 5) / 1.75]);
  });

  it('leaves values that do not change, and all values where the past has no weight', () => {
    for (const value of movingAverage(Array<number>(1000).fill(3), 0.99)) expect(value).toBeCloseTo(3, 12);
    expect(movingAverage([1, -4, 9], 0)).toEqual([1, -4, 9]);
  });
});
