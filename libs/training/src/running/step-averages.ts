import type { StepMetrics } from '@heddle/engine';

/** Keeps the mean of each metric over the gradient steps that have it. */
export class StepAverages {
  private readonly sums = new Map<string, { sum: number; count: number }>();

  add(metrics: StepMetrics): void {
    for (const [name, value] of Object.entries(metrics)) {
      const { sum, count } = this.sums.get(name) ?? { sum: 0, count: 0 };
      this.sums.set(name, { sum: sum + value, count: count + 1 });
    }
  }

  get means(): StepMetrics {
    return Object.fromEntries([...this.sums].map(([name, { sum, count }]) => [name, sum / count]));
  }
}

/**
 * What a job's checkpoint and its model's run get: `train/loss`, `train/reward`, ... Of a metric that is known for the whole
 * job that value counts, not the mean over its steps.
 */
export function trainMetrics(steps: StepMetrics, whole: StepMetrics): StepMetrics {
  const metrics = { ...steps, ...whole };
  const { policy_loss: policyLoss } = metrics;
  const named = policyLoss === undefined ? metrics : { loss: policyLoss, ...metrics };
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [`train/${name}`, value]));
}
