import { rlLoss, type RlBranch } from '../../training/rl-loss.js';
import { resolveRlConfig } from '../../training/rl-config.js';
import type { RlConfig } from '../../protocol/rl-config.schema.js';
import { serverLoss } from './server-loss.js';

const branch = (advantage: number, old: number[], more: Partial<RlBranch> = {}): RlBranch => ({
  tokens: Int32Array.of(1, 2, 3),
  targets: Int32Array.of(1, 2),
  oldLogprobs: Float32Array.from(old),
  advantage,
  weight: 1,
  ...more,
});
const rowOf = (...branches: RlBranch[]) => [{ prefix: Int32Array.of(9), branches }];
const ROW = rowOf(
  branch(1, [-1, -2]),
  branch(-0.5, [-0.5, -3], { weight: 2, advantageOffsets: Float64Array.of(0.1, -2) }),
);
const NORMALIZER = 4;
const ask = (config: RlConfig, row = ROW, names: ('ppo' | 'cispo')[] = ['ppo', 'cispo']) =>
  serverLoss(row, { config: resolveRlConfig(config), normalizer: NORMALIZER }, names);

/** What the protocol's documentation says of it: -sum(min(r A, clip(r) A)). */
function ppoGradient(
  { old, advantages }: { old: Float32Array; advantages: Float32Array },
  now: Float32Array,
): number[] {
  return [...now].map((logprob, i) => {
    const ratio = Math.exp(logprob - old[i]!);
    const a = advantages[i]!;
    const moves = a > 0 ? ratio <= 1.2 : ratio >= 0.8;
    return moves ? -ratio * a : 0;
  });
}

describe("a server's own loss", () => {
  it('has the gradient of ours', () => {
    const now = Float32Array.of(-0.9, -1.5, -0.9, -2.9);
    const config = { learning_rate: 1, loss_fn: 'ppo' } as const;
    const scores = { logprobs: now, entropies: new Float32Array(4) };
    const { gradient } = rlLoss(ROW, scores, resolveRlConfig(config), NORMALIZER);
    const theirs = ppoGradient(ask(config)!, now);
    expect(gradient.some((value) => value === 0)).toBe(true);
    theirs.forEach((value, i) => expect(value).toBeCloseTo(gradient[i]!, 5));
  });

  it.each<[string, RlConfig]>([
    ['CISPO with its own clip', {}],
    ['another clip', { loss_fn: 'ppo', epsilon: 0.1 }],
    ['an upper clip of its own', { loss_fn: 'ppo', epsilon_high: 0.28 }],
    ['ratios of whole sequences', { loss_fn: 'ppo', importance_sampling_level: 'sequence' }],
    ['a bound of the ratio', { loss_fn: 'ppo', max_negative_advantage_importance_sampling_weight: 3 }],
    ['masked ratios', { loss_fn: 'ppo', mask_prob_ratio: true }],
    ['a pull towards the old policy', { loss_fn: 'ppo', kimi_k2_tau: 0.1 }],
  ])('is not asked for %s', (_, config) => {
    expect(ask(config)).toBeNull();
  });

  it('is asked for CISPO with the clip of servers that have it', () => {
    const config = { epsilon: 0.2, epsilon_high: 0.2 };
    expect(ask(config)).toMatchObject({ name: 'cispo' });
    expect(ask(config, ROW, ['ppo'])).toBeNull();
  });

  it.each([[[NaN, -1]], [[-21, -1]]])('is not asked where old log probabilities are %j', (old) => {
    expect(ask({ loss_fn: 'ppo' }, rowOf(branch(1, old)))).toBeNull();
  });
});
