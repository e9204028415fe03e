import { treeTokens } from './row-packing.js';
import { splitIntoShards } from './row-sharding.js';
import type { SequenceTree } from './sequence-tree.js';

const tree = (prefix: number, branches: number[]): SequenceTree => ({
  prefix: new Int32Array(prefix),
  branches: branches.map((length) => ({ tokens: new Int32Array(length), targets: Int32Array.of(0) })),
});
const loads = (shards: SequenceTree[][]) => shards.map((shard) => shard.reduce((sum, t) => sum + treeTokens(t), 0));
const repeat = <T>(count: number, value: T) => new Array<T>(count).fill(value);

describe('splitIntoShards', () => {
  it('deals out trees that need no splitting', () => {
    const row = [tree(10, [5, 5]), tree(10, [5, 5]), tree(10, [10]), tree(10, [2, 8])];
    const shards = splitIntoShards(row, 2);
    expect(loads(shards)).toEqual([40, 40]);
    expect(shards.flat().every((piece) => row.includes(piece))).toBe(true);
  });

  it('splits a single tree where its prefix is short', () => {
    expect(loads(splitIntoShards([tree(10, repeat(16, 20))], 4))).toEqual([90, 90, 90, 90]);
  });

  it('splits two equal trees over four shards', () => {
    expect(loads(splitIntoShards([tree(10, repeat(8, 20)), tree(10, repeat(8, 20))], 4))).toEqual([90, 90, 90, 90]);
  });

  it('keeps a tree whole whose prefix is most of it', () => {
    expect(loads(splitIntoShards([tree(500, repeat(4, 5))], 4))).toEqual([520, 0, 0, 0]);
  });

  it('balances many uneven trees within a tenth', () => {
    const row = Array.from({ length: 48 }, (_, i) => tree(20 + (i % 7), repeat(4 + (i % 5), 3 + (i % 3))));
    const result = loads(splitIntoShards(row, 8));
    expect(Math.max(...result) / (result.reduce((a, b) => a + b) / 8)).toBeLessThan(1.1);
  });

  it('leaves every shard empty for an empty row', () => {
    expect(splitIntoShards([], 3)).toEqual([[], [], []]);
  });
});
