import type { StepMetrics } from '../protocol/train.js';
import { RewardStatistics } from './reward-statistics.js';
import type { TrajectoryTokens } from './trajectory-tokens.js';

/** Counts what of a reinforcement-learning job is trained on, and says what isn't and why. */
export class RlReport {
  trainableGroups = 0;
  private readonly rewards = new RewardStatistics();
  private trainableTokens = 0;
  /** Trajectories with a choice to train on, and those of them whose reward differs from the mean of their group. */
  private withChoices = 0;
  private withAdvantage = 0;
  private varied = false;
  private readonly refused = new Map<string, number>();
  private truncated = 0;
  private dropped = 0;

  constructor(private readonly maxTokens: number) {}

  addGroup(rewards: readonly number[], exceptions: number): void {
    this.rewards.add(rewards, exceptions);
    this.varied ||= rewards.some((reward) => reward !== rewards[0]);
  }

  addTrainable(hasAdvantage: boolean): void {
    this.withChoices += 1;
    if (hasAdvantage) this.withAdvantage += 1;
  }

  addTokens(found: TrajectoryTokens): void {
    for (const why of found.refused) this.refused.set(why, (this.refused.get(why) ?? 0) + 1);
    this.truncated += found.truncated;
    this.dropped += found.dropped;
    for (const sequence of found.sequences) this.trainableTokens += sequence.targets.length;
  }

  metrics(): StepMetrics {
    return {
      ...this.rewards.metrics(),
      num_groups_trainable: this.trainableGroups,
      num_trainable_tokens: this.trainableTokens,
      num_truncated_sequences: this.truncated,
      num_dropped_sequences: this.dropped,
      num_refused_choices: [...this.refused.values()].reduce((a, b) => a + b, 0),
    };
  }

  warnings(): string[] {
    const found = [...this.refused].map(([why, count]) => `${counted(count, 'choice')} not trained on: ${why}.`);
    const limit = `longer than ${this.maxTokens} tokens`;
    if (this.truncated > 0) found.push(`${counted(this.truncated, 'sequence')} cut at the end: ${limit}.`);
    if (this.dropped > 0) found.push(`${counted(this.dropped, 'sequence')} dropped: the prompt alone is ${limit}.`);
    return found;
  }

  /** Why nothing is trained on. */
  reason(): string {
    const { trajectories, exceptions } = this.rewards;
    if (trajectories === 0 && exceptions === 0) return 'Nothing to train on: no trajectories were sent.';
    if (trajectories === 0) return `Nothing to train on: only exceptions were sent (${exceptions}), no trajectories.`;
    if (this.withChoices === 0) {
      return 'Nothing to train on: no logprobs. Put the sampled choices, with their logprobs, into messages_and_choices.';
    }
    if (!this.varied) {
      return 'Nothing to train on: all rewards are equal within each group, so that no answer is better than another.';
    }
    if (this.withAdvantage === 0) {
      return 'Nothing to train on: no logprobs in the groups whose rewards differ; elsewhere all rewards are equal.';
    }
    return `Nothing to train on. ${this.warnings().join(' ')}`;
  }
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun} was` : `${count} ${noun}s were`;
}
