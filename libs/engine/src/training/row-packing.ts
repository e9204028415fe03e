import type { Branch, SequenceTree } from './sequence-tree.js';

const ROW_LENGTH_STEP = 1024;

/** Tokens of a tree, the shared prefix counted once. */
export function treeTokens(tree: SequenceTree): number {
  return tree.branches.reduce((sum, branch) => sum + branch.tokens.length, tree.prefix.length);
}

/**
 * One tree of whole sequences, each with at least one target: the longest beginning that all of them share becomes the
 * prefix, though never more than what precedes the first target of each.
 */
export function shareByPrefix<B extends Branch>(sequences: readonly B[]): SequenceTree<B> {
  const [first, ...others] = sequences;
  if (!first) return { prefix: new Int32Array(0), branches: [] };
  let length = sequences.reduce((min, sequence) => Math.min(min, sequence.targets[0]!), Infinity);
  for (const { tokens } of others) {
    let same = 0;
    while (same < length && tokens[same] === first.tokens[same]) same += 1;
    length = same;
  }
  const branches = sequences.map((sequence) => ({
    ...sequence,
    tokens: sequence.tokens.slice(length),
    targets: sequence.targets.map((position) => position - length),
  }));
  return { prefix: first.tokens.slice(0, length), branches };
}

/**
 * Packs groups of whole sequences, in order, into rows of at most `rowLength` tokens; each row is one optimiser step. A
 * group stays together if it fits into a row; else its prefix is repeated.
 * @param rowLength no sequence is longer; null: the longest sequence rounded up to a multiple of 1,024.
 */
export function packRows<B extends Branch>(
  groups: readonly (readonly B[])[],
  rowLength: number | null,
): SequenceTree<B>[][] {
  const longest = groups.reduce((max, group) => group.reduce((m, b) => Math.max(m, b.tokens.length), max), 0);
  const limit = rowLength ?? Math.ceil(longest / ROW_LENGTH_STEP) * ROW_LENGTH_STEP;
  if (longest > limit) throw new RangeError(`a sequence of ${longest} tokens does not fit into a row of ${limit}`);
  return splitIntoMicroBatches(groups.filter((group) => group.length > 0).map(shareByPrefix), limit);
}

/**
 * Cuts a list of trees, in order, into parts of at most `maxTokens` tokens. A tree is split, its prefix repeated, only
 * where it alone exceeds that; a single sequence that does makes a part of its own.
 */
export function splitIntoMicroBatches<B extends Branch>(
  trees: readonly SequenceTree<B>[],
  maxTokens: number,
): SequenceTree<B>[][] {
  const parts: SequenceTree<B>[][] = [];
  let room = 0;
  for (const piece of trees.flatMap((tree) => fitPieces(tree, maxTokens))) {
    const size = treeTokens(piece);
    if (size > room || parts.length === 0) {
      parts.push([]);
      room = maxTokens;
    }
    parts.at(-1)!.push(piece);
    room -= size;
  }
  return parts;
}

function fitPieces<B extends Branch>(tree: SequenceTree<B>, maxTokens: number): SequenceTree<B>[] {
  if (treeTokens(tree) <= maxTokens) return [tree];
  const pieces: SequenceTree<B>[] = [];
  let room = 0;
  for (const branch of tree.branches) {
    if (branch.tokens.length > room || pieces.length === 0) {
      pieces.push({ prefix: tree.prefix, branches: [] });
      room = maxTokens - tree.prefix.length;
    }
    pieces.at(-1)!.branches.push(branch);
    room -= branch.tokens.length;
  }
  return pieces;
}
