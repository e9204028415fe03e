import fc from 'fast-check';
import { packRows, shareByPrefix, splitIntoMicroBatches, treeTokens } from './row-packing.js';
import { splitIntoShards } from './row-sharding.js';
import type { Branch, SequenceTree } from './sequence-tree.js';

interface Named extends Branch {
  name: number;
}

const sequence = (tokens: number[], targets: number[], name = 0): Named => ({
  tokens: Int32Array.from(tokens),
  targets: Int32Array.from(targets),
  name,
});

/** A group of `count` sequences with a common prompt, each of `length` tokens. */
const group = (count: number, prompt: number, length: number): Named[] =>
  Array.from({ length: count }, (_, i) =>
    sequence(
      Array.from({ length }, (_, p) => (p < prompt ? 7 : 100 + i)),
      [prompt],
      i,
    ),
  );

const sizes = (parts: SequenceTree[][]) => parts.map((trees) => trees.map(treeTokens));

describe('shareByPrefix', () => {
  it('takes out the longest common beginning and shifts the targets', () => {
    const { prefix, branches } = shareByPrefix([sequence([1, 2, 3, 4, 5], [3, 4], 1), sequence([1, 2, 9], [2], 2)]);
    expect([...prefix]).toEqual([1, 2]);
    expect(branches).toEqual([
      { tokens: Int32Array.of(3, 4, 5), targets: Int32Array.of(1, 2), name: 1 },
      { tokens: Int32Array.of(9), targets: Int32Array.of(0), name: 2 },
    ]);
  });

  it('never takes a target, though both sampled the same', () => {
    const tree = shareByPrefix([sequence([1, 2, 3, 4], [3]), sequence([1, 2, 3, 4], [2, 3])]);
    expect([...tree.prefix]).toEqual([1, 2]);
  });

  it('has an empty prefix where nothing is common', () => {
    expect(shareByPrefix([sequence([1, 2], [1]), sequence([3, 2], [1])]).prefix).toHaveLength(0);
    expect(shareByPrefix([])).toEqual({ prefix: new Int32Array(0), branches: [] });
  });
});

describe('packRows', () => {
  it('fills rows in order and counts a shared prefix once', () => {
    // Trees of 10 + 4 * 5 = 30 tokens.
    const groups = [group(4, 10, 15), group(4, 10, 15), group(4, 10, 15)];
    expect(sizes(packRows(groups, 65))).toEqual([[30, 30], [30]]);
  });

  it('splits only a group that exceeds a row, with the prefix in each part', () => {
    // 10 + 4 * 5 = 30 tokens do not fit into 22: two branches each, 20 tokens.
    expect(sizes(packRows([group(1, 5, 6), group(4, 10, 15)], 22))).toEqual([[6], [20], [20]]);
  });

  it('makes rows as long as the longest sequence, rounded up to 1,024 tokens', () => {
    const groups = [group(1, 10, 1500), group(1, 10, 500), group(1, 10, 100)];
    expect(sizes(packRows(groups, null))).toEqual([[1500, 500], [100]]);
    expect(sizes(packRows([...groups, group(1, 10, 2049)], null))).toEqual([[1500, 500, 100], [2049]]);
  });

  it('has no rows for no groups, and refuses what fits into no row', () => {
    expect(packRows([[], []], null)).toEqual([]);
    expect(() => packRows([group(1, 10, 30)], 29)).toThrow(RangeError);
  });
});

describe('splitIntoMicroBatches', () => {
  it('cuts in order, and leaves a sequence that alone is too long by itself', () => {
    const trees = [group(2, 2, 5), group(1, 2, 20), group(1, 2, 4), group(1, 2, 4)].map(shareByPrefix);
    expect(sizes(splitIntoMicroBatches(trees, 10))).toEqual([[8], [20], [4, 4]]);
  });
});

const anySequence = fc
  .tuple(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 2, maxLength: 12 }), fc.nat(), fc.nat())
  .map(([tokens, a, b]) => {
    const first = 1 + (a % (tokens.length - 1));
    const second = 1 + (b % (tokens.length - 1));
    return { tokens, targets: [...new Set([first, second])].sort((x, y) => x - y) };
  });
const anyGroups = fc
  .array(fc.array(anySequence, { maxLength: 6 }), { maxLength: 6 })
  .map((groups) => groups.map((members, g) => members.map((s, i) => sequence(s.tokens, s.targets, g * 10 + i))));

/** What the trees hold, put together again. */
const sequencesOf = (trees: SequenceTree<Named>[]) =>
  trees.flatMap(({ prefix, branches }) =>
    branches.map(({ tokens, targets, name }) => ({
      name,
      tokens: [...prefix, ...tokens],
      targets: [...targets].map((position) => position + prefix.length),
    })),
  );
const byName = (a: { name: number }, b: { name: number }) => a.name - b.name;
const original = (groups: Named[][]) =>
  groups.flat().map(({ name, tokens, targets }) => ({ name, tokens: [...tokens], targets: [...targets] }));

describe('whatever is packed, sharded and batched', () => {
  it('keeps each sequence once, in order, in rows that are not too long', () => {
    fc.assert(
      fc.property(anyGroups, fc.integer({ min: 12, max: 40 }), (groups, length) => {
        const rows = packRows(groups, length);
        expect(sequencesOf(rows.flat())).toEqual(original(groups));
        const tooLong = rows.filter((row) => row.length === 0 || row.reduce((n, t) => n + treeTokens(t), 0) > length);
        expect(tooLong).toEqual([]);
      }),
    );
  });

  it('has each sequence in exactly one shard and one micro-batch', () => {
    fc.assert(
      fc.property(anyGroups, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 40 }), (groups, n, max) => {
        const row = packRows(groups, 10_000).flat();
        const shards = splitIntoShards(row, n);
        expect(shards).toHaveLength(n);
        const batches = shards.flatMap((shard) => splitIntoMicroBatches(shard, max));
        expect(sequencesOf(batches.flat()).sort(byName)).toEqual(original(groups).sort(byName));
        expect(splitIntoShards(row, n)).toEqual(shards);
      }),
    );
  });
});
