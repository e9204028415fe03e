/** Rewards that differ by less than this share of the largest one are equal: what differs is rounding. */
const ROUNDING = 1e-12;

/**
 * Advantages of the trajectories of one group, in order: reward minus mean, divided by the population standard deviation
 * (plus 1e-6) where `scale`. 0 means: not to be trained on, so a lone trajectory and equal rewards give only zeros.
 * Formula: training API contract, section 4.
 */
export function groupAdvantages(rewards: readonly number[], scale: boolean): number[] {
  const mean = sum(rewards) / rewards.length;
  const tolerance = ROUNDING * rewards.reduce((max, reward) => Math.max(max, Math.abs(reward)), 0);
  const centered = rewards.map((reward) => (Math.abs(reward - mean) <= tolerance ? 0 : reward - mean));
  const divisor = scale ? populationStdDev(rewards) + 1e-6 : 1;
  return centered.map((advantage) => advantage / divisor);
}

/** 0 for no values. */
export function populationStdDev(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const mean = sum(values) / values.length;
  return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length);
}

export interface TrajectoryAdvantage {
  /** The same for each token of a trajectory. */
  advantage: number;
  /** Trainable tokens, over all sequences of the trajectory; at least 1. */
  tokens: number;
}

/**
 * Advantage and weight that each token of a trajectory gets, from those of all trajectories of the job that are trained
 * on. Afterwards the mean over all tokens is 1 for the weight, and 1 for |advantage| times weight.
 * Formula: training API contract, section 4, with sums over the tokens of a trajectory written as products.
 */
export function normalizeAdvantages(
  trajectories: readonly TrajectoryAdvantage[],
  balance: number,
): { advantage: number; weight: number }[] {
  const tokens = sum(trajectories.map((trajectory) => trajectory.tokens));
  // Each trajectory has the weights 1/n of n tokens, so they sum to the number of trajectories.
  const meanWeight = trajectories.length / tokens;
  const balanced = trajectories.map(({ advantage }) => balanceAdvantage(advantage, balance));
  const meanSize = sum(balanced.map(Math.abs)) / trajectories.length;
  return trajectories.map((trajectory, i) => ({
    weight: 1 / trajectory.tokens / meanWeight,
    advantage: meanSize > 0 ? balanced[i]! / meanSize : 0,
  }));
}

function balanceAdvantage(advantage: number, balance: number): number {
  if (balance > 0 && advantage < 0) return advantage * (1 - balance);
  if (balance < 0 && advantage > 0) return advantage * (1 + balance);
  return advantage;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
