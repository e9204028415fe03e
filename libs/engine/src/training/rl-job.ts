import { EngineError } from '../protocol/engine.errors.js';
import type { StepMetrics, TrajectoryGroup } from '../protocol/train.js';
import { groupAdvantages, normalizeAdvantages } from './advantages.js';
import type { TokenSource } from './choice-tokens.js';
import type { ResolvedRlConfig } from './rl-config.js';
import type { RlBranch } from './rl-loss.js';
import { RlReport } from './rl-report.js';
import { packRows } from './row-packing.js';
import type { SequenceTree, TrainingSequence } from './sequence-tree.js';
import { isTrainable, trajectoryTokens } from './trajectory-tokens.js';

/** What a reinforcement-learning job will train on. */
export interface RlJob {
  /** One optimiser step each. */
  rows: SequenceTree<RlBranch>[][];
  metrics: StepMetrics;
  /** For the user: what was left out, and why. */
  warnings: string[];
  /** Why there are no rows; null where there are. */
  reason: string | null;
}

interface TrainedTrajectory {
  group: number;
  sequences: TrainingSequence[];
  advantage: number;
  tokens: number;
}

/**
 * Reads the groups once, in order, and keeps only the tokens of what is trained on.
 * @throws EngineError `invalid_request` naming the place of a reward that is no finite number, or of a token id that
 *   isn't in the vocabulary.
 */
export async function prepareRlJob(
  groups: AsyncIterable<TrajectoryGroup> | Iterable<TrajectoryGroup>,
  config: Pick<ResolvedRlConfig, 'scaleRewards' | 'advantageBalance' | 'packedSequenceLength' | 'allowWithoutLogprobs'>,
  source: Omit<TokenSource, 'allowWithoutLogprobs'> & { contextLength: number },
): Promise<RlJob> {
  const maxTokens = Math.min(source.contextLength, config.packedSequenceLength ?? Infinity);
  const limits = { ...source, maxTokens, allowWithoutLogprobs: config.allowWithoutLogprobs };
  const report = new RlReport(maxTokens);
  const trained: TrainedTrajectory[] = [];
  let index = 0;
  for await (const group of groups) {
    const place = `trajectory_groups[${index}]`;
    const rewards = group.trajectories.map(({ reward }, j) =>
      finiteReward(reward, `${place}.trajectories[${j}].reward`),
    );
    report.addGroup(rewards, group.exceptions);
    const advantages = groupAdvantages(rewards, config.scaleRewards);
    const before = trained.length;
    group.trajectories.forEach((trajectory, j) => {
      if (!isTrainable(trajectory, config.allowWithoutLogprobs)) return;
      const advantage = advantages[j]!;
      report.addTrainable(advantage !== 0);
      if (advantage === 0) return;
      const found = trajectoryTokens(trajectory, limits, `${place}.trajectories[${j}]`);
      report.addTokens(found);
      const tokens = found.sequences.reduce((sum, sequence) => sum + sequence.targets.length, 0);
      if (tokens > 0) trained.push({ group: index, sequences: found.sequences, advantage, tokens });
    });
    if (trained.length > before) report.trainableGroups += 1;
    index += 1;
  }
  const rows = packRows(branchesByGroup(trained, config.advantageBalance), config.packedSequenceLength);
  return {
    rows,
    metrics: report.metrics(),
    warnings: report.warnings(),
    reason: rows.length > 0 ? null : report.reason(),
  };
}

function branchesByGroup(trained: readonly TrainedTrajectory[], balance: number): RlBranch[][] {
  const normalized = normalizeAdvantages(trained, balance);
  const groups = new Map<number, RlBranch[]>();
  trained.forEach(({ group, sequences }, i) => {
    const branches = groups.get(group) ?? [];
    for (const sequence of sequences) branches.push({ ...sequence, ...normalized[i]! });
    groups.set(group, branches);
  });
  return [...groups.values()];
}

function finiteReward(reward: number, place: string): number {
  if (Number.isFinite(reward)) return reward;
  throw new EngineError('invalid_request', `${place} must be a finite number.`, place);
}
