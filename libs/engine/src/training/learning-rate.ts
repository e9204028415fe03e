import type { ResolvedRlConfig } from './rl-config.js';
import type { SequenceTree } from './sequence-tree.js';

/**
 * Learning rate of a row: constant, unless `num_trajectories_learning_rate_multiplier_power` p is set, which multiplies
 * it by (sequences in the row)^p as OpenPipe ART does.
 */
export function rowLearningRate(
  config: Pick<ResolvedRlConfig, 'learningRate' | 'learningRatePower'>,
  row: readonly SequenceTree[],
): number {
  const sequences = row.reduce((count, tree) => count + tree.branches.length, 0);
  return config.learningRate * sequences ** config.learningRatePower;
}
