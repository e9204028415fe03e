import { advantageOf, type RlBranch, type RlLossConfig, scaleOf } from '../../training/rl-loss.js';
import type { SequenceTree } from '../../training/sequence-tree.js';

/** A loss that a server computes as Heddle would. Arrays have an entry for each target of a row, in its order. */
export interface ServerLoss {
  name: 'ppo' | 'cispo';
  old: Float32Array;
  advantages: Float32Array;
}

/** What servers clip by. */
const EPSILON = 0.2;
/** Heddle's ratios count no further than e^20: below this old log probability none can be greater. */
const LEAST_LOGPROB = -20;

/**
 * The server's own loss where it is the same as that of {@link rlLoss}: one pass then does what takes two.
 * @returns null where it isn't
 */
export function serverLoss(
  row: readonly SequenceTree<RlBranch>[],
  { config, normalizer }: { config: RlLossConfig; normalizer: number },
  names: readonly ('ppo' | 'cispo')[],
): ServerLoss | null {
  const name = config.lossFunction;
  if (!names.includes(name) || !isSame(config)) return null;
  const branches = row.flatMap((tree) => tree.branches);
  const old = Float32Array.from(branches.flatMap(({ oldLogprobs }) => [...oldLogprobs]));
  // Of a target that nobody knows a log probability of, the ratio is 1, which only we can say.
  if (!old.every((logprob) => logprob >= LEAST_LOGPROB)) return null;
  const advantages = branches.flatMap((branch) =>
    // What scales a loss may stand before the minimum or behind it, for it is never below 0.
    Array.from(branch.targets, (_, t) => -scaleOf(branch, t, config, normalizer) * advantageOf(branch, t)),
  );
  return { name, old, advantages: Float32Array.from(advantages) };
}

function isSame(config: RlLossConfig): boolean {
  const { epsilon, epsilonHigh, importanceSamplingLevel, maxRatio, maskRatio, kimiTau } = config;
  const isClippedAlike = epsilon === EPSILON && epsilonHigh === EPSILON;
  return isClippedAlike && importanceSamplingLevel === 'token' && maxRatio === null && !maskRatio && kimiTau === 0;
}
