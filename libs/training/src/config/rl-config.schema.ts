import type { RlConfig } from '@heddle/engine';
import Type from 'typebox';
import { configReader } from './config-reader.js';

const Optional = Type.Optional;
const number = (description: string, limits: { minimum?: number; maximum?: number } = {}) =>
  Optional(Type.Number({ ...limits, description }));
const notNegative = number('a number from 0 on', { minimum: 0 });
const anyNumber = number('a finite number');
const flag = Optional(Type.Boolean({ description: 'true or false' }));
const oneOf = <T extends string>(...values: T[]) =>
  Optional(Type.Enum(values, { description: `one of ${values.map((value) => `'${value}'`).join(', ')}` }));

/** `experimental_config` of a reinforcement-learning job. */
export const RlConfigSchema = Type.Object(
  {
    learning_rate: notNegative,
    advantage_balance: number('a number from -1 to 1', { minimum: -1, maximum: 1 }),
    epsilon: notNegative,
    epsilon_high: notNegative,
    importance_sampling_level: oneOf('token', 'sequence', 'average', 'geometric_average'),
    kimi_k2_tau: anyNumber,
    mask_prob_ratio: flag,
    max_negative_advantage_importance_sampling_weight: notNegative,
    ppo: flag,
    loss_fn: oneOf('cispo', 'ppo'),
    precalculate_logprobs: flag,
    scale_rewards: flag,
    normalize_advantages: flag,
    kl_penalty_coef: notNegative,
    truncated_importance_sampling: notNegative,
    packed_sequence_length: Optional(Type.Integer({ minimum: 1, description: 'a whole number from 1 on' })),
    allow_training_without_logprobs: flag,
    scale_learning_rate_by_reward_std_dev: flag,
    num_trajectories_learning_rate_multiplier_power: anyNumber,
  },
  {
    description:
      'What is left out or null takes its default. `learning_rate` defaults to the one of the engine, `epsilon` to 1.0 (`ppo`: 0.2), `epsilon_high` to 4.0 (`ppo`: `epsilon`), `scale_rewards` to true. Other keys are accepted and ignored; a warning of the job names them.',
  },
);

export const readRlConfig = configReader(RlConfigSchema);

/** Of a released client's keys, those that change nothing about what is learnt: no word about them. */
const HARMLESS = ['plot_tensors', 'logprob_calculation_chunk_size'];

/** What the user asked for and the engine knows nothing of. */
export function ignoredKeys(given: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(given).filter((key) => !(key in RlConfigSchema.properties) && !HARMLESS.includes(key));
}

/** The settings of a stored job. */
export const rlConfigOf = (given: Record<string, unknown>): RlConfig => readRlConfig(given, []).known;
