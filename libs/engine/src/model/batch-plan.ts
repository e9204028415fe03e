import type { Branch, SequenceTree } from '../training/sequence-tree.js';

/** A run of tokens that are computed together, after `prefixLength` tokens that another segment holds. */
export interface Segment {
  /** First row of the batch. */
  start: number;
  length: number;
  prefixStart: number;
  prefixLength: number;
}

/** Trees laid out as rows, without padding; what several branches have in common is there once. */
export interface BatchPlan {
  segments: Segment[];
  rows: number;
  /** Positions of the longest sequence, prefix included. */
  longest: number;
  tokens: Int32Array;
  positions: Int32Array;
  /** Rows whose output predicts a target, ascending: of the last layer nothing else is needed. */
  keptRows: Int32Array;
  /** For each target: which of the kept rows predicts it, and the token. */
  targetRows: Int32Array;
  targetTokens: Int32Array;
}

export function planBatch(trees: readonly SequenceTree[]): BatchPlan {
  const segments: Segment[] = [];
  const tokens: number[] = [];
  const positions: number[] = [];
  const sources: number[] = [];
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
    const known = new Map<string, Segment>();
    for (const branch of branches) {
      const predicting = predictingTokens(branch);
      const key = predicting.join();
      const own = known.get(key) ?? put(predicting, shared.start, shared.length);
      known.set(key, own);
      for (const target of branch.targets) {
        if (target === 0 && shared.length === 0)
          throw new RangeError('the first token of a sequence has no prediction');
        sources.push(target > 0 ? own.start + target - 1 : shared.start + shared.length - 1);
        targetTokens.push(branch.tokens[target]!);
      }
    }
  }
  const keptRows = Int32Array.from(new Set(sources)).sort();
  const placeOf = new Map(Array.from(keptRows, (row, place) => [row, place]));
  return {
    segments,
    rows: tokens.length,
    longest,
    tokens: Int32Array.from(tokens),
    positions: Int32Array.from(positions),
    keptRows,
    targetRows: Int32Array.from(sources, (row) => placeOf.get(row)!),
    targetTokens: Int32Array.from(targetTokens),
  };
}

/** Nothing is predicted from the last target, nor from what comes after it. */
const predictingTokens = ({ tokens, targets }: Branch): Int32Array => tokens.subarray(0, targets.at(-1) ?? 0);
