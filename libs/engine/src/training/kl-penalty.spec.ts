import { withKlPenalty } from './kl-penalty.js';
import type { RlBranch } from './rl-loss.js';

const branch = (old: number[]): RlBranch => ({
  tokens: new Int32Array(old.length),
  targets: Int32Array.from(old, (_, i) => i),
  oldLogprobs: Float32Array.from(old),
  advantage: 1,
  weight: 1,
});
const row = [
  { prefix: Int32Array.of(1), branches: [branch([-1, -2]), branch([NaN])] },
  { prefix: Int32Array.of(2), branches: [branch([-3])] },
];
const current = Float32Array.of(-2, -2, -2, -2);
const reference = Float32Array.of(-3, -2, -4, -7);

describe('withKlPenalty', () => {
  it.each([
    // k = -1 + 3, -2 + 2, -2 + 4 (the old one is missing), -3 + 7: mean 2.
    ['sample' as const, 2, [0, 1, 0, -1]],
    // k = 1, 0, 2, 5: mean 2.
    ['current_learner' as const, 2, [0.5, 1, 0, -1.5]],
  ])('moves advantage from where the policy drifted: %s', (source, meanKl, expected) => {
    const result = withKlPenalty(row, current, reference, { coefficient: 0.5, source });
    expect(result.meanKl).toBe(meanKl);
    const offsets = result.trees.flatMap((tree) => tree.branches.map((b) => [...b.advantageOffsets!]));
    expect(offsets.flat()).toEqual(expected);
    expect(offsets.map((values) => values.length)).toEqual([2, 1, 1]);
  });

  it('leaves the sum of advantages as it was', () => {
    const { trees } = withKlPenalty(row, current, reference, { coefficient: 3, source: 'sample' });
    const offsets = trees.flatMap((tree) => tree.branches.flatMap((b) => [...b.advantageOffsets!]));
    expect(offsets.reduce((a, b) => a + b)).toBeCloseTo(0, 12);
  });

  it('divides nothing by 0', () => {
    const nothing = new Float32Array(0);
    expect(withKlPenalty([], nothing, nothing, { coefficient: 1, source: 'sample' })).toEqual({ trees: [], meanKl: 0 });
  });
});
