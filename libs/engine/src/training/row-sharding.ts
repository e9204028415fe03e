import { treeTokens } from './row-packing.js';
import type { Branch, SequenceTree } from './sequence-tree.js';

/**
 * Cuts a row into `shards` parts of about equal size (some may be empty), each branch in exactly one of them. The result
 * depends on the row and on `shards` alone, so weights don't depend on how many threads compute the shards. Trees stay
 * whole, unless splitting the branches of one, which repeats its prefix, saves more time than it costs.
 */
export function splitIntoShards<B extends Branch>(
  row: readonly SequenceTree<B>[],
  shards: number,
): SequenceTree<B>[][] {
  const total = row.reduce((sum, tree) => sum + treeTokens(tree), 0);
  let best = assign(row, shards, Infinity);
  for (let pieces = shards; pieces <= 2 * shards; pieces++) {
    const candidate = assign(row, shards, total / pieces);
    if (candidate.cost < best.cost) best = candidate;
  }
  return best.shards.map((shard) => shard.map((piece) => piece.tree));
}

interface Piece<B extends Branch> {
  tree: SequenceTree<B>;
  /** Which tree of the row, and which piece of it. */
  source: number;
  index: number;
  tokens: number;
}

interface Assignment<B extends Branch> {
  shards: Piece<B>[][];
  /** The greatest load, which is the time with a thread for each shard, plus the mean load, which is it with few. */
  cost: number;
}

/**
 * Cuts trees that are greater than `pieceTokens`, then puts the greatest piece first onto the least loaded shard. Within
 * a shard pieces lie in the row's order.
 */
function assign<B extends Branch>(row: readonly SequenceTree<B>[], count: number, pieceTokens: number): Assignment<B> {
  const pieces = row.flatMap((tree, source) =>
    splitTree(tree, Math.min(Math.max(Math.ceil(treeTokens(tree) / pieceTokens), 1), tree.branches.length)).map(
      (piece, index) => ({ tree: piece, source, index, tokens: treeTokens(piece) }),
    ),
  );
  const shards: Piece<B>[][] = Array.from({ length: count }, () => []);
  const loads = shards.map(() => 0);
  const inOrder = (a: Piece<B>, b: Piece<B>) => a.source - b.source || a.index - b.index;
  for (const piece of pieces.sort((a, b) => b.tokens - a.tokens || inOrder(a, b))) {
    const target = loads.indexOf(Math.min(...loads));
    shards[target]!.push(piece);
    loads[target]! += piece.tokens;
  }
  for (const shard of shards) shard.sort(inOrder);
  return { shards, cost: Math.max(...loads) + loads.reduce((a, b) => a + b, 0) / count };
}

/** Consecutive branches in `pieces` parts of about equal size, each with the prefix. */
function splitTree<B extends Branch>(tree: SequenceTree<B>, pieces: number): SequenceTree<B>[] {
  if (pieces <= 1) return [tree];
  const total = treeTokens(tree) - tree.prefix.length;
  const parts: SequenceTree<B>[] = Array.from({ length: pieces }, () => ({ prefix: tree.prefix, branches: [] }));
  let before = 0;
  for (const branch of tree.branches) {
    const middle = before + branch.tokens.length / 2;
    parts[Math.min(Math.floor((middle / total) * pieces), pieces - 1)]!.branches.push(branch);
    before += branch.tokens.length;
  }
  return parts.filter((part) => part.branches.length > 0);
}
