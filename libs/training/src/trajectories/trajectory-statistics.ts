/** How much was sent, and what contract section 6 computes from it. */
export class TrajectoryStatistics {
  groups = 0;
  trajectories = 0;
  exceptions = 0;
  private rewards = 0;
  private deviations = 0;
  private deviatingGroups = 0;
  private readonly sums = new Map<string, { sum: number; count: number }>();

  /** Names of metrics so far. */
  get metricNames(): number {
    return this.sums.size;
  }

  /** Of one group: the reward of each trajectory, and how many rollouts ended in an exception. */
  addGroup(rewards: readonly number[], exceptions: number): void {
    this.groups++;
    this.trajectories += rewards.length;
    this.exceptions += exceptions;
    if (rewards.length === 0) return;
    const sum = rewards.reduce((total, reward) => total + reward, 0);
    this.rewards += sum;
    if (rewards.length === 1) return;
    const mean = sum / rewards.length;
    this.deviations += Math.sqrt(rewards.reduce((total, reward) => total + (reward - mean) ** 2, 0) / rewards.length);
    this.deviatingGroups++;
  }

  /** Of one trajectory. */
  addMetric(name: string, value: number): void {
    const metric = this.sums.get(name);
    if (metric) {
      metric.sum += value;
      metric.count++;
    } else {
      this.sums.set(name, { sum: value, count: 1 });
    }
  }

  /**
   * By name: `reward` is the mean over trajectories, `reward_std_dev` the mean over groups with more than one trajectory of
   * their population standard deviation, `exception_rate` exceptions / (trajectories + exceptions), every other metric the
   * mean over the trajectories that have it. What is a mean over nothing, or overflows, is left out.
   */
  means(): Map<string, number> {
    const means = new Map<string, number>();
    const add = (name: string, sum: number, count: number): void => {
      if (count > 0 && Number.isFinite(sum / count)) means.set(name, sum / count);
    };
    for (const [name, { sum, count }] of this.sums) add(name, sum, count);
    add('reward', this.rewards, this.trajectories);
    add('reward_std_dev', this.deviations, this.deviatingGroups);
    add('exception_rate', this.exceptions, this.trajectories + this.exceptions);
    return means;
  }

  /** The same under the names of a split: `val/reward`. */
  metricsOf(split: string): Record<string, number> {
    return Object.fromEntries([...this.means()].map(([name, value]) => [`${split}/${name}`, value]));
  }
}
