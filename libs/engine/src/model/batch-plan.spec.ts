import type { SequenceTree } from '../training/sequence-tree.js';
import { planBatch } from './batch-plan.js';

const tree = (prefix: number[], ...branches: [tokens: number[], targets: number[]][]): SequenceTree => ({
  prefix: Int32Array.from(prefix),
  branches: branches.map(([tokens, targets]) => ({
    tokens: Int32Array.from(tokens),
    targets: Int32Array.from(targets),
  })),
});

/** For each target: the token, and the row that it is predicted from. */
const predictions = (trees: SequenceTree[]) => {
  const { targetRows, targetTokens, keptRows } = planBatch(trees);
  return Array.from(targetTokens, (token, i) => [token, keptRows[targetRows[i]!]]);
};

describe('planBatch', () => {
  it('lays out a prefix and its branches, and predicts each target from the row before it', () => {
    const trees = [
      tree(
        [1, 2],
        [
          [3, 4, 5],
          [0, 2],
        ],
        [[6, 7], [1]],
      ),
    ];
    const plan = planBatch(trees);
    expect([...plan.tokens]).toEqual([1, 2, 3, 4, 6]);
    expect([...plan.positions]).toEqual([0, 1, 2, 3, 2]);
    expect(plan.segments).toEqual([
      { start: 0, length: 2, prefixStart: 0, prefixLength: 0 },
      { start: 2, length: 2, prefixStart: 0, prefixLength: 2 },
      { start: 4, length: 1, prefixStart: 0, prefixLength: 2 },
    ]);
    expect(plan.longest).toBe(4);
    expect(predictions(trees)).toEqual([
      [3, 1],
      [5, 3],
      [7, 4],
    ]);
  });

  it('leaves out the last target and what follows it: nothing is predicted from there', () => {
    expect([
      ...planBatch([
        tree(
          [],
          [
            [1, 2, 3, 4, 5],
            [1, 3],
          ],
        ),
      ]).tokens,
    ]).toEqual([1, 2, 3]);
    expect([...planBatch([tree([1], [[2], [0]])]).tokens]).toEqual([1]);
  });

  it('has what branches of one tree have in common once, and all their targets', () => {
    const again = tree(
      [1, 2],
      [
        [3, 4, 5],
        [0, 1, 2],
      ],
      [
        [3, 4, 6],
        [0, 1, 2],
      ],
      [[3, 4, 5], [2]],
    );
    expect([...planBatch([again]).tokens]).toEqual([1, 2, 3, 4]);
    expect(predictions([again])).toEqual([
      [3, 1],
      [4, 2],
      [5, 3],
      [3, 1],
      [4, 2],
      [6, 3],
      [5, 3],
    ]);
    const other = tree([1], [[3, 4], [1]]);
    expect(planBatch([again, other]).rows).toBe(6);
  });

  it('keeps each row that predicts something once, in order', () => {
    const { keptRows } = planBatch([
      tree(
        [1, 2],
        [
          [9, 8, 7],
          [1, 2],
        ],
        [[3, 4], [0]],
        [
          [5, 6],
          [0, 1],
        ],
      ),
    ]);
    expect([...keptRows]).toEqual([1, 2, 3, 4]);
  });

  it('refuses a target that nothing precedes', () => {
    expect(() => planBatch([tree([], [[1, 2], [0]])])).toThrow(RangeError);
  });
});
