import type { StepMetrics } from '../protocol/train.js';
import { populationStdDev } from './advantages.js';

/** Rewards of a job, over everything that was submitted. Formulas: training API contract, section 6. */
export class RewardStatistics {
  groups = 0;
  trajectories = 0;
  exceptions = 0;
  private rewardSum = 0;
  private readonly stdDevs: number[] = [];

  add(rewards: readonly number[], exceptions: number): void {
    this.groups += 1;
    this.trajectories += rewards.length;
    this.exceptions += exceptions;
    for (const reward of rewards) this.rewardSum += reward;
    if (rewards.length > 1) this.stdDevs.push(populationStdDev(rewards));
  }

  /** A mean over nothing is left out, not 0. `reward_std_dev` is the mean over groups of more than one trajectory. */
  metrics(): StepMetrics {
    const metrics: StepMetrics = { num_groups_submitted: this.groups, num_trajectories: this.trajectories };
    const rollouts = this.trajectories + this.exceptions;
    if (this.trajectories > 0) metrics['reward'] = this.rewardSum / this.trajectories;
    if (this.stdDevs.length > 0) metrics['reward_std_dev'] = this.stdDevs.reduce((a, b) => a + b) / this.stdDevs.length;
    if (rollouts > 0) metrics['exception_rate'] = this.exceptions / rollouts;
    return metrics;
  }
}
