import Type from 'typebox';
import { setting } from './setting.js';
import { Settings, type SettingsOf } from './settings.js';

/** AdamW moves each weight by about this much a step; small models bear, and need, more than the 5e-6 of large ones. */
export const DEFAULT_LEARNING_RATE = 1e-4;

/** Where the ratio is clipped, by loss function; `ppo` takes the lower bound for the upper one too. */
export const CLIP_DEFAULTS = { cispo: { epsilon: 1, epsilonHigh: 4 }, ppo: { epsilon: 0.2 } } as const;

const { cispo, ppo } = CLIP_DEFAULTS;

/** `experimental_config` of a reinforcement-learning job. Formulas: training API contract, section 4. */
export const RL_SETTINGS = new Settings(
  Type.Object(
    {
      learning_rate: setting(Type.Number({ minimum: 0 }), {
        default: DEFAULT_LEARNING_RATE,
        description: 'How far AdamW moves each weight in a step, about',
      }),
      loss_fn: setting(Type.Enum(['cispo', 'ppo']), {
        description: 'Wins over `ppo`. Default: `cispo`, or `ppo` where `ppo` is true',
      }),
      ppo: setting(Type.Boolean(), { default: false, description: 'The older name of `loss_fn: ppo`' }),
      epsilon: setting(Type.Number({ minimum: 0 }), {
        description: `Ratios are clipped below 1 - \`epsilon\`. Default: ${cispo.epsilon} with \`cispo\`, ${ppo.epsilon} with \`ppo\``,
      }),
      epsilon_high: setting(Type.Number({ minimum: 0 }), {
        description: `Ratios are clipped above 1 + \`epsilon_high\`. Default: ${cispo.epsilonHigh} with \`cispo\`, \`epsilon\` with \`ppo\``,
      }),
      importance_sampling_level: setting(Type.Enum(['token', 'sequence', 'average', 'geometric_average']), {
        default: 'token',
        description: 'What the ratio of new to old probability is taken of',
      }),
      max_negative_advantage_importance_sampling_weight: setting(Type.Number({ exclusiveMinimum: 0 }), {
        description: 'No ratio is above it. Default: no bound',
      }),
      mask_prob_ratio: setting(Type.Boolean(), {
        default: false,
        description: 'Ratios outside the clip range become 0',
      }),
      kimi_k2_tau: setting(Type.Number({ minimum: 0 }), {
        default: 0,
        description: 'Takes this much of the log ratio off the advantage',
      }),
      advantage_balance: setting(Type.Number({ minimum: -1, maximum: 1 }), {
        default: 0,
        description: 'Above 0 weakens negative advantages by that share, below 0 positive ones',
      }),
      scale_rewards: setting(Type.Boolean(), {
        default: true,
        description: 'Divides advantages by the standard deviation of their group',
      }),
      normalize_advantages: setting(Type.Boolean(), {
        default: true,
        description: 'Another name of `scale_rewards`: false in either turns it off',
      }),
      precalculate_logprobs: setting(Type.Boolean(), {
        default: false,
        description:
          'Old log probabilities are computed with the weights that the job starts from, not taken from the choices',
      }),
      truncated_importance_sampling: setting(Type.Number({ exclusiveMinimum: 0 }), {
        description:
          "Bounds the ratio of those log probabilities to the sampler's; needs `precalculate_logprobs`. Default: off",
      }),
      kl_penalty_coef: setting(Type.Number({ minimum: 0 }), {
        default: 0,
        description:
          'Lowers the advantages of tokens on which the model leaves the reference, which is the base model by default',
      }),
      kl_penalty_source: setting(Type.Enum(['current_learner', 'sample']), {
        default: 'sample',
        description:
          'Whose log probabilities the KL penalty compares with the reference: those of the weights in training, or those sampled with',
      }),
      kl_penalty_reference_step: setting(Type.Integer({ minimum: 0 }), {
        description: "The step of the model's checkpoint that is the reference of the KL penalty; 0 is the base model",
      }),
      kl_penalty_step_lag: setting(Type.Integer({ minimum: 1 }), {
        description: 'In place of a step: so many steps before the one that the job starts from, or the base model',
      }),
      kl_ref_adapter_path: setting(Type.Unknown(), {
        description: 'Ignored, with a warning where there is a KL penalty: no file of a client is opened',
      }),
      packed_sequence_length: setting(Type.Integer({ minimum: 2 }), {
        description: 'Tokens in a row. Default: those of the longest sequence, rounded up to a multiple of 1,024',
      }),
      allow_training_without_logprobs: setting(Type.Boolean(), {
        default: false,
        description: 'Trains also on choices without logprobs; their ratio is 1',
      }),
      num_trajectories_learning_rate_multiplier_power: setting(Type.Number({ minimum: -4, maximum: 4 }), {
        default: 0,
        description: 'The learning rate of a row is multiplied by (sequences in it) to this power',
      }),
      scale_learning_rate_by_reward_std_dev: setting(Type.Boolean(), {
        default: false,
        description: 'Ignored with a warning: the learning rate stays as it is set',
      }),
    },
    {
      description:
        'What is left out or null takes its default. Other keys are accepted and ignored; a warning of the job names them.',
    },
  ),
  { place: 'experimental_config' },
);

/**
 * The step of the checkpoint that a KL penalty compares with, for a job that starts from `fromStep`. 0 is the base model;
 * null where there is no penalty.
 */
export function klReferenceStep(config: RlConfig, fromStep: number): number | null {
  const { kl_penalty_coef: coefficient = 0, kl_penalty_reference_step: step, kl_penalty_step_lag: lag } = config;
  if (coefficient === 0) return null;
  return step ?? (lag === undefined ? 0 : Math.max(0, fromStep - lag));
}

/** Unset fields take their defaults. */
export type RlConfig = SettingsOf<typeof RL_SETTINGS>;

export type ImportanceSamplingLevel = NonNullable<RlConfig['importance_sampling_level']>;
