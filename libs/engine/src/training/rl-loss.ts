import { ImportanceRatios } from './importance-ratio.js';
import type { ResolvedRlConfig } from './rl-config.js';
import type { Branch, SequenceTree, TargetScores } from './sequence-tree.js';

/** A sequence to train on, with what is known of each of its targets before the forward pass. */
export interface RlBranch extends Branch {
  /** Log probabilities of the policy that sampled the targets, one for each target; NaN: not known, the ratio is 1. */
  oldLogprobs: Float32Array;
  /** The sampler's own, where `oldLogprobs` were computed anew (`precalculate_logprobs`). */
  samplerLogprobs?: Float32Array;
  /** What a KL penalty adds to the advantage of each target. */
  advantageOffsets?: Float64Array;
  advantage: number;
  weight: number;
}

/** Sums over targets, so that those of the shards of a row add up to the row's. */
export interface RlSums {
  /** Share of the row's loss. */
  loss: number;
  targets: number;
  /** Of the distributions that the targets are drawn from, in nats. */
  entropy: number;
  /** Old minus new log probability, which estimates KL(old || new). */
  klDivergence: number;
  ratio: number;
  /** Targets whose ratio the clip changes. */
  clipped: number;
  /** Greatest |log probability|: not a sum. */
  maxAbsLogprob: number;
}

export type RlLossConfig = Pick<
  ResolvedRlConfig,
  | 'lossFunction'
  | 'epsilon'
  | 'epsilonHigh'
  | 'importanceSamplingLevel'
  | 'maxRatio'
  | 'maskRatio'
  | 'kimiTau'
  | 'truncatedImportanceSampling'
>;

/**
 * CISPO or PPO loss of some trees of a row and its gradient with respect to the log probability of each target, in the
 * order of `scores`. Formula: training API contract, section 4.
 * @param normalizer trainable tokens of the whole row, above 0.
 */
export function rlLoss(
  trees: readonly SequenceTree<RlBranch>[],
  scores: TargetScores,
  config: RlLossConfig,
  normalizer: number,
): { gradient: Float32Array; sums: RlSums } {
  const gradient = new Float32Array(scores.logprobs.length);
  const sums = noRlSums();
  let offset = 0;
  for (const branch of trees.flatMap((tree) => tree.branches)) {
    const end = offset + branch.targets.length;
    const logprobs = Float64Array.from(scores.logprobs.subarray(offset, end));
    gradient.set(branchLoss(branch, logprobs, config, normalizer, sums), offset);
    for (let t = offset; t < end; t++) sums.entropy += scores.entropies[t]!;
    offset = end;
  }
  return { gradient, sums };
}

export function noRlSums(): RlSums {
  return { loss: 0, targets: 0, entropy: 0, klDivergence: 0, ratio: 0, clipped: 0, maxAbsLogprob: 0 };
}

export function addRlSums(a: RlSums, b: RlSums): RlSums {
  return {
    loss: a.loss + b.loss,
    targets: a.targets + b.targets,
    entropy: a.entropy + b.entropy,
    klDivergence: a.klDivergence + b.klDivergence,
    ratio: a.ratio + b.ratio,
    clipped: a.clipped + b.clipped,
    maxAbsLogprob: Math.max(a.maxAbsLogprob, b.maxAbsLogprob),
  };
}

/** The same trees with the log probabilities of the weights that training starts from as the old ones. */
export function withPrecalculatedLogprobs(
  trees: readonly SequenceTree<RlBranch>[],
  logprobs: Float32Array,
): SequenceTree<RlBranch>[] {
  let offset = 0;
  const replace = (branch: RlBranch): RlBranch => {
    const oldLogprobs = logprobs.slice(offset, (offset += branch.targets.length));
    return { ...branch, oldLogprobs, samplerLogprobs: branch.oldLogprobs };
  };
  return trees.map((tree) => ({ prefix: tree.prefix, branches: tree.branches.map(replace) }));
}

/** Of one target, with what a KL penalty adds. */
export const advantageOf = (branch: RlBranch, t: number): number =>
  branch.advantage + (branch.advantageOffsets?.[t] ?? 0);

/** What the loss of one target is multiplied by: never above 0. */
export const scaleOf = (branch: RlBranch, t: number, config: RlLossConfig, normalizer: number): number =>
  (-branch.weight * samplerCorrection(branch, t, config)) / normalizer;

function branchLoss(
  branch: RlBranch,
  logprobs: Float64Array,
  config: RlLossConfig,
  normalizer: number,
  sums: RlSums,
): Float64Array {
  const differences = logprobs.map((logprob, t) => {
    const old = branch.oldLogprobs[t]!;
    return Number.isFinite(old) ? logprob - old : 0;
  });
  const ratios = new ImportanceRatios(differences, config.importanceSamplingLevel);
  const gradient = new Float64Array(logprobs.length);
  const slopes = new Float64Array(logprobs.length);
  const [low, high] = [1 - config.epsilon, 1 + config.epsilonHigh];
  logprobs.forEach((logprob, t) => {
    const raw = ratios.values[t]!;
    const d = differences[t]!;
    const advantage = advantageOf(branch, t) - config.kimiTau * d;
    const scale = scaleOf(branch, t, config, normalizer);
    const { ratio, moves } = bounded(raw, config);
    const clipped = Math.min(Math.max(ratio, low), high);
    if (config.lossFunction === 'ppo') {
      sums.loss += scale * Math.min(ratio * advantage, clipped * advantage);
      // Where the clipped term is the smaller one, nothing moves.
      const active = advantage > 0 ? ratio <= high : ratio >= low;
      if (active && moves) slopes[t] = scale * advantage;
    } else {
      sums.loss += scale * clipped * advantage * logprob;
      gradient[t] = scale * clipped * advantage;
    }
    sums.targets += 1;
    sums.klDivergence -= d;
    sums.ratio += raw;
    sums.clipped += Number(isClipped(raw, advantage, low, high, config));
    sums.maxAbsLogprob = Math.max(sums.maxAbsLogprob, Math.abs(logprob));
  });
  if (config.lossFunction === 'ppo') ratios.backward(slopes, gradient);
  return gradient;
}

/** The ratio after the cap and the mask, and whether it still follows the log probabilities. */
function bounded(raw: number, config: RlLossConfig): { ratio: number; moves: boolean } {
  const capped = config.maxRatio !== null && raw > config.maxRatio;
  const ratio = capped ? config.maxRatio! : raw;
  const masked = config.maskRatio && !(ratio > 1 - config.epsilon && ratio < 1 + config.epsilonHigh);
  return { ratio: masked ? 0 : ratio, moves: !capped && !masked };
}

function isClipped(ratio: number, advantage: number, low: number, high: number, config: RlLossConfig): boolean {
  if (config.lossFunction === 'cispo') return ratio < low || ratio > high;
  return advantage > 0 ? ratio > high : advantage < 0 && ratio < low;
}

/** `truncated_importance_sampling`: how much likelier the trainer finds the target than the sampler did, bounded. */
function samplerCorrection(branch: RlBranch, t: number, config: RlLossConfig): number {
  if (config.truncatedImportanceSampling === null || !branch.samplerLogprobs) return 1;
  const difference = branch.oldLogprobs[t]! - branch.samplerLogprobs[t]!;
  return Number.isFinite(difference) ? Math.min(Math.exp(difference), config.truncatedImportanceSampling) : 1;
}
