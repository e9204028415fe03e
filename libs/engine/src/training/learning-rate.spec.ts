import { rowLearningRate } from './learning-rate.js';

const branch = { tokens: Int32Array.of(1), targets: Int32Array.of(0) };
const row = [
  { prefix: Int32Array.of(1), branches: [branch, branch, branch] },
  { prefix: Int32Array.of(2), branches: [branch] },
];

describe('rowLearningRate', () => {
  it('is constant by default', () => {
    expect(rowLearningRate({ learningRate: 1e-4, learningRatePower: 0 }, row)).toBe(1e-4);
  });

  it('grows with a power of the number of sequences', () => {
    expect(rowLearningRate({ learningRate: 1e-4, learningRatePower: 0.5 }, row)).toBeCloseTo(2e-4, 12);
    expect(rowLearningRate({ learningRate: 1e-4, learningRatePower: -1 }, row)).toBeCloseTo(0.25e-4, 12);
  });
});
