import { DEFAULT_LEARNING_RATE, klReferenceStep, type RlConfig } from '../protocol/rl-config.schema.js';
import { resolveRlConfig } from './rl-config.js';

const withUnknown = (config: Record<string, unknown>) => config as RlConfig;

describe('resolveRlConfig', () => {
  it('defaults to CISPO with the clip range 0 to 5', () => {
    expect(resolveRlConfig({})).toEqual({
      learningRate: DEFAULT_LEARNING_RATE,
      learningRatePower: 0,
      lossFunction: 'cispo',
      epsilon: 1,
      epsilonHigh: 4,
      importanceSamplingLevel: 'token',
      maxRatio: null,
      maskRatio: false,
      kimiTau: 0,
      truncatedImportanceSampling: null,
      advantageBalance: 0,
      scaleRewards: true,
      precalculateLogprobs: false,
      klPenalty: null,
      packedSequenceLength: null,
      allowWithoutLogprobs: false,
      warnings: [],
    });
  });

  it.each<[RlConfig, object]>([
    [{ ppo: true }, { lossFunction: 'ppo', epsilon: 0.2, epsilonHigh: 0.2 }],
    [
      { ppo: true, epsilon: 0.3 },
      { epsilon: 0.3, epsilonHigh: 0.3 },
    ],
    [
      { loss_fn: 'ppo', epsilon_high: 0.28 },
      { epsilon: 0.2, epsilonHigh: 0.28 },
    ],
    [
      { loss_fn: 'cispo', ppo: true },
      { lossFunction: 'cispo', epsilon: 1, epsilonHigh: 4 },
    ],
    [{ loss_fn: 'ppo', ppo: false }, { lossFunction: 'ppo' }],
    [{ epsilon: 0.5 }, { epsilon: 0.5, epsilonHigh: 4 }],
    [{ normalize_advantages: false }, { scaleRewards: false }],
    [{ scale_rewards: true, normalize_advantages: false }, { scaleRewards: false }],
    [{ kl_penalty_coef: 0.1 }, { klPenalty: { coefficient: 0.1, source: 'sample' } }],
    [
      { kl_penalty_coef: 0.1, kl_penalty_source: 'current_learner' },
      { klPenalty: { coefficient: 0.1, source: 'current_learner' } },
    ],
    [{ kl_penalty_coef: 0 }, { klPenalty: null }],
    [
      { max_negative_advantage_importance_sampling_weight: 2, mask_prob_ratio: true },
      { maxRatio: 2, maskRatio: true },
    ],
    [{ num_trajectories_learning_rate_multiplier_power: 0.5 }, { learningRatePower: 0.5 }],
  ])('reads %j', (config, expected) => {
    expect(resolveRlConfig(config)).toMatchObject({ ...expected, warnings: [] });
  });

  it('passes over unknown keys and nulls', () => {
    expect(resolveRlConfig(withUnknown({ epsilon: null, plot_tensors: true, colour: { of: 'sky' } }))).toEqual(
      resolveRlConfig({}),
    );
  });

  it.each<[Record<string, unknown>, string]>([
    [{ scale_learning_rate_by_reward_std_dev: true }, 'scale_learning_rate_by_reward_std_dev is ignored'],
    [{ truncated_importance_sampling: 2 }, 'truncated_importance_sampling is ignored: it needs precalculate_logprobs'],
    [{ kl_penalty_coef: 1, kl_ref_adapter_path: '/etc' }, 'kl_ref_adapter_path is ignored'],
  ])('warns about %j', (config, warning) => {
    expect(resolveRlConfig(withUnknown(config)).warnings).toEqual([expect.stringContaining(warning)]);
  });

  it.each<[RlConfig, number | null]>([
    [{}, null],
    [{ kl_penalty_reference_step: 3 }, null],
    [{ kl_penalty_coef: 1 }, 0],
    [{ kl_penalty_coef: 1, kl_penalty_reference_step: 3 }, 3],
    [{ kl_penalty_coef: 1, kl_penalty_reference_step: 0 }, 0],
    [{ kl_penalty_coef: 1, kl_penalty_step_lag: 2 }, 3],
    [{ kl_penalty_coef: 1, kl_penalty_step_lag: 7 }, 0],
  ])('finds the reference of the KL penalty from step 5 on with %j: %j', (config, step) => {
    expect(klReferenceStep(config, 5)).toBe(step);
  });

  it('is silent about what changes nothing', () => {
    const config = {
      scale_learning_rate_by_reward_std_dev: false,
      truncated_importance_sampling: 2,
      precalculate_logprobs: true,
      kl_penalty_coef: 0,
      kl_penalty_reference_step: 3,
    };
    expect(resolveRlConfig(withUnknown(config)).warnings).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['learning_rate', -1, 'a number from 0 on, not -1'],
    ['learning_rate', NaN, 'not NaN'],
    ['learning_rate', '1e-4', 'a number from 0 on, not 1e-4'],
    ['advantage_balance', 1.5, 'a number from -1 to 1, not 1.5'],
    ['epsilon', -0.1, 'from 0 on'],
    ['epsilon_high', Infinity, 'not Infinity'],
    ['kimi_k2_tau', -1, 'from 0 on'],
    ['max_negative_advantage_importance_sampling_weight', 0, 'above 0'],
    ['truncated_importance_sampling', 0, 'above 0'],
    ['packed_sequence_length', 2.5, 'a whole number from 2 on'],
    ['importance_sampling_level', 'word', "one of 'token', 'sequence', 'average', 'geometric_average', not word"],
    ['loss_fn', 'dpo', "one of 'cispo', 'ppo'"],
    ['kl_penalty_source', 'reference', "one of 'current_learner', 'sample'"],
    ['kl_penalty_reference_step', -1, 'a whole number from 0 on'],
    ['kl_penalty_step_lag', 0, 'a whole number from 1 on'],
    ['ppo', 'yes', 'true or false'],
    ['scale_rewards', { a: 1 }, 'not something else'],
  ])('refuses %s = %j', (name, value, complaint) => {
    expect(() => resolveRlConfig(withUnknown({ [name]: value }))).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        param: `experimental_config.${name}`,
        message: expect.stringMatching(new RegExp(`^${name} must be .*${complaint}`)),
      }),
    );
  });
});
