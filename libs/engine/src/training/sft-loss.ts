import type { TargetScores } from './sequence-tree.js';

/** Sums over targets, so that those of the parts of a batch add up to the batch's. */
export interface SftSums {
  /** Share of the batch's loss. */
  loss: number;
  targets: number;
  /** Greatest |log probability|: not a sum. */
  maxAbsLogprob: number;
}

/**
 * Negative log likelihood, mean over the targets of a batch: L = -(1/T) sum_t logp_t.
 * @param normalizer T, the targets of the whole batch, above 0.
 * @returns with the gradient, dL/dlogp of each target in the order of `scores`.
 */
export function sftLoss(
  scores: Pick<TargetScores, 'logprobs'>,
  normalizer: number,
): { gradient: Float32Array; sums: SftSums } {
  const sums = noSftSums();
  for (const logprob of scores.logprobs) {
    sums.loss -= logprob / normalizer;
    sums.targets += 1;
    sums.maxAbsLogprob = Math.max(sums.maxAbsLogprob, Math.abs(logprob));
  }
  return { gradient: new Float32Array(scores.logprobs.length).fill(-1 / normalizer), sums };
}

export function noSftSums(): SftSums {
  return { loss: 0, targets: 0, maxAbsLogprob: 0 };
}

export function addSftSums(a: SftSums, b: SftSums): SftSums {
  return {
    loss: a.loss + b.loss,
    targets: a.targets + b.targets,
    maxAbsLogprob: Math.max(a.maxAbsLogprob, b.maxAbsLogprob),
  };
}
