import {
  CLIP_DEFAULTS,
  type ImportanceSamplingLevel,
  RL_SETTINGS,
  type RlConfig,
} from '../protocol/rl-config.schema.js';

/** `experimental_config` as the parts of a job read it. Formulas: training API contract, section 4. */
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

type SetValues = ReturnType<typeof RL_SETTINGS.resolve>;

/**
 * Fills in the defaults. What this engine can't honour as set is named in `warnings`.
 * @throws EngineError `invalid_request` with `experimental_config.NAME` as param.
 */
export function resolveRlConfig(config: RlConfig): ResolvedRlConfig & { warnings: string[] } {
  const set = RL_SETTINGS.resolve(config);
  const lossFunction = set.loss_fn ?? (set.ppo ? 'ppo' : 'cispo');
  const epsilon = set.epsilon ?? CLIP_DEFAULTS[lossFunction].epsilon;
  return {
    learningRate: set.learning_rate,
    learningRatePower: set.num_trajectories_learning_rate_multiplier_power,
    lossFunction,
    epsilon,
    epsilonHigh: set.epsilon_high ?? (lossFunction === 'ppo' ? epsilon : CLIP_DEFAULTS.cispo.epsilonHigh),
    importanceSamplingLevel: set.importance_sampling_level,
    maxRatio: set.max_negative_advantage_importance_sampling_weight ?? null,
    maskRatio: set.mask_prob_ratio,
    kimiTau: set.kimi_k2_tau,
    truncatedImportanceSampling: set.truncated_importance_sampling ?? null,
    advantageBalance: set.advantage_balance,
    // Either name turns it off: clients send both, and only one of them as the user set it.
    scaleRewards: set.scale_rewards && set.normalize_advantages,
    precalculateLogprobs: set.precalculate_logprobs,
    klPenalty: set.kl_penalty_coef > 0 ? { coefficient: set.kl_penalty_coef, source: set.kl_penalty_source } : null,
    packedSequenceLength: set.packed_sequence_length ?? null,
    allowWithoutLogprobs: set.allow_training_without_logprobs,
    warnings: warnings(set),
  };
}

function warnings(set: SetValues): string[] {
  const found: string[] = [];
  if (set.scale_learning_rate_by_reward_std_dev) {
    found.push('scale_learning_rate_by_reward_std_dev is ignored: the learning rate stays as it was set.');
  }
  if (set.truncated_importance_sampling !== undefined && !set.precalculate_logprobs) {
    found.push('truncated_importance_sampling is ignored: it needs precalculate_logprobs.');
  }
  if (set.kl_penalty_coef > 0 && set.kl_ref_adapter_path !== undefined) {
    found.push('kl_ref_adapter_path is ignored: kl_penalty_reference_step names a checkpoint of the model.');
  }
  return found;
}
