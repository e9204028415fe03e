import type { SequenceTree } from '../training/sequence-tree.js';

/** A run of tokens that are computed together, after `prefixLength` tokens that another segment holds. */
export interface Segment {
  /** First row of the batch. */
  start: number;
  length: number;
  prefixStart: number;
  prefixLength: number;
}

/** Trees laid out as rows, without padding. */
export interface BatchPlan {
  segments: Segment[];
  rows: number;
  /** Positions of the longest sequence, prefix included. */
  longest: number;
  tokens: Int32Array;
  positions: Int32Array;
  /** For each target: the row whose output predicts it, and the token. */
  targetRows: Int32Array;
  targetTokens: Int32Array;
}

export function planBatch(trees: readonly SequenceTree[]): BatchPlan {
  const segments: Segment[] = [];
  const tokens: number[] = [];
  const positions: number[] = [];
  const targetRows: number[] = [];
  const targetTokens: number[] = [];
  let longest = 0;
  const put = (sequence: Int32Array, prefixStart: number, prefixLength: number): Segment => {
    const segment = { start: tokens.length, length: sequence.length, prefixStart, prefixLength };
    sequence.forEach((token, at) => {
      tokens.push(token);
      positions.push(prefixLength + at);
    });
    if (sequence.length > 0) segments.push(segment);
    longest = Math.max(longest, prefixLength + sequence.length);
    return segment;
  };
  for (const { prefix, branches } of trees) {
    const shared = put(prefix, 0, 0);
    for (const branch of branches) {
      const own = put(branch.tokens, shared.start, shared.length);
      for (const target of branch.targets) {
        if (target === 0 && shared.length === 0)
          throw new RangeError('the first token of a sequence has no prediction');
        targetRows.push(target > 0 ? own.start + target - 1 : shared.start + shared.length - 1);
        targetTokens.push(branch.tokens[target]!);
      }
    }
  }
  return {
    segments,
    rows: tokens.length,
    longest,
    tokens: Int32Array.from(tokens),
    positions: Int32Array.from(positions),
    targetRows: Int32Array.from(targetRows),
    targetTokens: Int32Array.from(targetTokens),
  };
}
