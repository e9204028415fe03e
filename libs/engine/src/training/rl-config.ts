import { EngineError } from '../protocol/engine.errors.js';
import type { ImportanceSamplingLevel, RlConfig } from '../protocol/train.js';

/** AdamW moves each weight by about this much a step; small models bear, and need, more than the 5e-6 of large ones. */
export const DEFAULT_LEARNING_RATE = 1e-4;

/** `experimental_config` with every default filled in. Formulas: training API contract, section 4. */
export interface ResolvedRlConfig {
  learningRate: number;
  /** The learning rate of a row is multiplied by (sequences in the row) ^ this. */
  learningRatePower: number;
  lossFunction: 'cispo' | 'ppo';
  /** Ratios are clipped to 1 - epsilon .. 1 + epsilonHigh. */
  epsilon: number;
  epsilonHigh: number;
  importanceSamplingLevel: ImportanceSamplingLevel;
  /** `max_negative_advantage_importance_sampling_weight`: no ratio above it; null: off. */
  maxRatio: number | null;
  /** `mask_prob_ratio`: ratios outside the clip range become 0. */
  maskRatio: boolean;
  kimiTau: number;
  /** Bound of exp(trainer's logprob - sampler's logprob); null: off. */
  truncatedImportanceSampling: number | null;
  advantageBalance: number;
  scaleRewards: boolean;
  /** Log probabilities of the weights that training starts from stand in for the sampler's. */
  precalculateLogprobs: boolean;
  klPenalty: { coefficient: number; source: 'current_learner' | 'sample' } | null;
  /** Tokens in a row; null: the longest sequence rounded up to a multiple of 1,024. */
  packedSequenceLength: number | null;
  allowWithoutLogprobs: boolean;
}

const LEVELS: readonly ImportanceSamplingLevel[] = ['token', 'sequence', 'average', 'geometric_average'];
const KL_REFERENCES = ['kl_ref_adapter_path', 'kl_penalty_reference_step', 'kl_penalty_step_lag'];
const WHERE = 'experimental_config';

/**
 * Checks the bounds and fills in the defaults. Keys that nobody knows are passed over; known ones that this engine
 * can't honour as set are named in `warnings`.
 * @throws EngineError `invalid_request` with `experimental_config.NAME` as param.
 */
export function resolveRlConfig(config: RlConfig): ResolvedRlConfig & { warnings: string[] } {
  const read = new FieldReader(config as Readonly<Record<string, unknown>>);
  const ppo = read.flag('ppo');
  const lossFunction = read.oneOf('loss_fn', ['cispo', 'ppo'] as const) ?? (ppo ? 'ppo' : 'cispo');
  const epsilon = read.number('epsilon', { min: 0 }) ?? (lossFunction === 'ppo' ? 0.2 : 1);
  const klCoefficient = read.number('kl_penalty_coef', { min: 0 }) ?? 0;
  const klSource = read.oneOf('kl_penalty_source', ['current_learner', 'sample'] as const) ?? 'sample';
  const resolved: ResolvedRlConfig = {
    learningRate: read.number('learning_rate', { min: 0 }) ?? DEFAULT_LEARNING_RATE,
    learningRatePower: read.number('num_trajectories_learning_rate_multiplier_power', { min: -4, max: 4 }) ?? 0,
    lossFunction,
    epsilon,
    epsilonHigh: read.number('epsilon_high', { min: 0 }) ?? (lossFunction === 'ppo' ? epsilon : 4),
    importanceSamplingLevel: read.oneOf('importance_sampling_level', LEVELS) ?? 'token',
    maxRatio: read.number('max_negative_advantage_importance_sampling_weight', { above: 0 }) ?? null,
    maskRatio: read.flag('mask_prob_ratio') ?? false,
    kimiTau: read.number('kimi_k2_tau', { min: 0 }) ?? 0,
    truncatedImportanceSampling: read.number('truncated_importance_sampling', { above: 0 }) ?? null,
    advantageBalance: read.number('advantage_balance', { min: -1, max: 1 }) ?? 0,
    // Either name turns it off: clients send both, and only one of them as the user set it.
    scaleRewards: (read.flag('scale_rewards') ?? true) && (read.flag('normalize_advantages') ?? true),
    precalculateLogprobs: read.flag('precalculate_logprobs') ?? false,
    klPenalty: klCoefficient > 0 ? { coefficient: klCoefficient, source: klSource } : null,
    packedSequenceLength: read.number('packed_sequence_length', { min: 2, integer: true }) ?? null,
    allowWithoutLogprobs: read.flag('allow_training_without_logprobs') ?? false,
  };
  return { ...resolved, warnings: warnings(resolved, read) };
}

function warnings(config: ResolvedRlConfig, read: FieldReader): string[] {
  const found: string[] = [];
  if (read.flag('scale_learning_rate_by_reward_std_dev')) {
    found.push('scale_learning_rate_by_reward_std_dev is ignored: the learning rate stays as it was set.');
  }
  if (config.truncatedImportanceSampling !== null && !config.precalculateLogprobs) {
    found.push('truncated_importance_sampling is ignored: it needs precalculate_logprobs.');
  }
  if (config.klPenalty) {
    for (const name of KL_REFERENCES.filter((key) => read.has(key))) {
      found.push(`${name} is ignored: the reference of the KL penalty is the base model.`);
    }
  }
  return found;
}

interface Bounds {
  min?: number;
  max?: number;
  above?: number;
  integer?: boolean;
}

/** Reads optional fields; null counts as unset. */
class FieldReader {
  constructor(private readonly fields: Readonly<Record<string, unknown>>) {}

  has(name: string): boolean {
    return (this.fields[name] ?? null) !== null;
  }

  flag(name: string): boolean | undefined {
    if (!this.has(name)) return undefined;
    const value = this.fields[name];
    if (typeof value !== 'boolean') throw invalid(name, 'true or false', value);
    return value;
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    if (!this.has(name)) return undefined;
    const value = values.find((known) => known === this.fields[name]);
    if (value === undefined) throw invalid(name, `one of ${values.join(', ')}`, this.fields[name]);
    return value;
  }

  number(name: string, bounds: Bounds): number | undefined {
    if (!this.has(name)) return undefined;
    const value = this.fields[name];
    const valid =
      typeof value === 'number' &&
      Number.isFinite(value) &&
      value >= (bounds.min ?? -Infinity) &&
      value <= (bounds.max ?? Infinity) &&
      value > (bounds.above ?? -Infinity) &&
      (!bounds.integer || Number.isInteger(value));
    if (!valid) throw invalid(name, describe(bounds), value);
    return value;
  }
}

function describe({ min, max, above, integer }: Bounds): string {
  const kind = integer ? 'an integer' : 'a finite number';
  if (above !== undefined) return `${kind} above ${above}`;
  if (max !== undefined) return `${kind} from ${min} to ${max}`;
  return `${kind} of at least ${min}`;
}

function invalid(name: string, expected: string, value: unknown): EngineError {
  const shown = typeof value === 'object' ? 'something else' : String(value).slice(0, 40);
  return new EngineError('invalid_request', `${name} must be ${expected}, not ${shown}.`, `${WHERE}.${name}`);
}
