import fc from 'fast-check';
import type { ImportanceSamplingLevel } from '../protocol/rl-config.schema.js';
import { resolveRlConfig } from './rl-config.js';
import { addRlSums, noRlSums, type RlBranch, rlLoss, type RlLossConfig, withPrecalculatedLogprobs } from './rl-loss.js';
import type { SequenceTree } from './sequence-tree.js';

const cispo = resolveRlConfig({});
const ppo = resolveRlConfig({ ppo: true });
const LEVELS: ImportanceSamplingLevel[] = ['token', 'sequence', 'average', 'geometric_average'];

function branch(old: number[], advantage: number, weight = 1): RlBranch {
  return {
    tokens: new Int32Array(old.length + 1),
    targets: Int32Array.from(old, (_, i) => i + 1),
    oldLogprobs: Float32Array.from(old),
    advantage,
    weight,
  };
}

const tree = (...branches: RlBranch[]): SequenceTree<RlBranch> => ({ prefix: new Int32Array(3), branches });

const scores = (logprobs: number[], entropy = 0) => ({
  logprobs: Float32Array.from(logprobs),
  entropies: new Float32Array(logprobs.length).fill(entropy),
});

/** One target with a ratio, an advantage, a weight of 1 and log probability -1. */
function single(ratio: number, advantage: number, config: RlLossConfig, extra: Partial<RlBranch> = {}) {
  const old = -1 - Math.log(ratio);
  const { gradient, sums } = rlLoss([tree({ ...branch([old], advantage), ...extra })], scores([-1]), config, 1);
  return { loss: sums.loss, gradient: gradient[0]!, clipped: sums.clipped };
}

describe('CISPO', () => {
  it.each([
    ['inside the clip', 2, 3, { loss: 2 * 3, gradient: -2 * 3, clipped: 0 }],
    ['above it', 9, 3, { loss: 5 * 3, gradient: -5 * 3, clipped: 1 }],
    ['with negative advantage', 0.5, -3, { loss: -0.5 * 3, gradient: 0.5 * 3, clipped: 0 }],
  ])('is -clip(ratio) A logp, the ratio taken as given: %s', (_, ratio, advantage, expected) => {
    const result = single(ratio, advantage, cispo);
    expect(result.loss).toBeCloseTo(expected.loss, 5);
    expect(result.gradient).toBeCloseTo(expected.gradient, 5);
    expect(result.clipped).toBe(expected.clipped);
  });

  it('clips from below where epsilon is under 1', () => {
    expect(single(0.1, 1, { ...cispo, epsilon: 0.2 }).gradient).toBeCloseTo(-0.8, 6);
  });
});

describe('PPO', () => {
  it.each([
    ['inside the clip', 1.1, 2, { loss: -2.2, gradient: -2.2, clipped: 0 }],
    ['good, and already more likely', 1.5, 2, { loss: -2.4, gradient: 0, clipped: 1 }],
    ['good, but less likely', 0.5, 2, { loss: -1, gradient: -1, clipped: 0 }],
    ['bad, and already less likely', 0.5, -2, { loss: 1.6, gradient: 0, clipped: 1 }],
    ['bad, but more likely', 1.5, -2, { loss: 3, gradient: 3, clipped: 0 }],
  ])('is -min(ratio A, clip(ratio) A): %s', (_, ratio, advantage, expected) => {
    const result = single(ratio, advantage, ppo);
    expect(result.loss).toBeCloseTo(expected.loss, 5);
    expect(result.gradient).toBeCloseTo(expected.gradient, 5);
    expect(result.clipped).toBe(expected.clipped);
  });
});

describe('fields of the configuration', () => {
  it('kimi_k2_tau takes tau times the log ratio from the advantage', () => {
    const config = { ...cispo, kimiTau: 0.5 };
    expect(single(2, 3, config).gradient).toBeCloseTo(-2 * (3 - 0.5 * Math.LN2), 5);
  });

  it('max_negative_advantage_importance_sampling_weight bounds the ratio before the clip', () => {
    expect(single(4, 3, { ...cispo, maxRatio: 1.5 }).gradient).toBeCloseTo(-1.5 * 3, 5);
    // Bounded, so it moves no more; without the bound a bad target that became likely has the gradient 4 * 3.
    expect(single(4, -3, { ...ppo, maxRatio: 1.5 })).toMatchObject({ loss: expect.closeTo(4.5, 5), gradient: 0 });
    expect(single(4, -3, ppo).gradient).toBeCloseTo(12, 4);
  });

  it('mask_prob_ratio makes ratios outside the clip range 0', () => {
    const mask = { ...cispo, maskRatio: true };
    expect(single(9, 3, mask).gradient).toBeCloseTo(0, 12);
    expect(single(4, 3, mask).gradient).toBeCloseTo(-12, 4);
    const masked = single(1.5, -2, { ...ppo, maskRatio: true });
    // min(0, 0.8 * -2): the clip lifts the masked ratio to its lower end.
    expect(masked).toMatchObject({ loss: expect.closeTo(1.6, 5), gradient: 0 });
  });

  it('truncated_importance_sampling weighs by trainer over sampler, up to the bound', () => {
    const config = { ...cispo, truncatedImportanceSampling: 1.5 };
    const correction = (factor: number) =>
      single(1, 3, config, { samplerLogprobs: Float32Array.of(-1 - Math.log(factor)) }).gradient / -3;
    expect(correction(0.5)).toBeCloseTo(0.5, 5);
    expect(correction(7)).toBeCloseTo(1.5, 5);
    expect(correction(NaN)).toBe(1);
    expect(single(1, 3, { ...config, truncatedImportanceSampling: null }).gradient).toBeCloseTo(-3, 5);
  });

  it('offsets of a KL penalty add to the advantage', () => {
    expect(single(1, 3, cispo, { advantageOffsets: Float64Array.of(-1) }).gradient).toBeCloseTo(-2, 5);
  });

  it('weights and the normaliser scale the loss', () => {
    const { gradient, sums } = rlLoss([tree(branch([-1, -1], 2, 0.25))], scores([-1, -1]), cispo, 8);
    expect([...gradient]).toEqual([-2 / 32, -2 / 32]);
    expect(sums.loss).toBeCloseTo((2 * 2) / 32, 9);
  });
});

describe('old log probabilities', () => {
  it('that are missing count as the current ones', () => {
    const missing = { oldLogprobs: Float32Array.of(NaN) };
    expect(single(7, 3, cispo, missing).gradient).toBeCloseTo(-3, 6);
    // The ratio is 1, but it moves: on-policy PPO is not without gradient.
    expect(single(7, 3, ppo, missing).gradient).toBeCloseTo(-3, 6);
  });

  it('that are absurd give a finite loss', () => {
    const { sums, gradient } = rlLoss([tree(branch([-9999], -1))], scores([-1]), ppo, 1);
    expect(sums.loss).toBeCloseTo(Math.exp(20), -3);
    expect(gradient[0]).toBe(0);
  });

  it("are replaced by those of the trainer, and the sampler's kept", () => {
    const trees = [tree(branch([-1], 1), branch([-2, -3], 1)), tree(branch([-4], 1))];
    const replaced = withPrecalculatedLogprobs(trees, Float32Array.of(-5, -6, -7, -8)).flatMap((t) => t.branches);
    expect(replaced.map(({ oldLogprobs }) => [...oldLogprobs])).toEqual([[-5], [-6, -7], [-8]]);
    expect(replaced.map(({ samplerLogprobs }) => [...samplerLogprobs!])).toEqual([[-1], [-2, -3], [-4]]);
  });
});

describe('sums', () => {
  it('count targets, entropy, divergence, ratios and the greatest log probability', () => {
    const { sums } = rlLoss([tree(branch([-1, -2], 1))], scores([-1.5, -9], 0.5), cispo, 2);
    expect(sums).toMatchObject({ targets: 2, entropy: 1, klDivergence: 7.5, maxAbsLogprob: 9, clipped: 0 });
    expect(sums.ratio).toBeCloseTo(Math.exp(-0.5) + Math.exp(-7), 9);
  });

  it('show what is not finite', () => {
    const { sums } = rlLoss([tree(branch([-1, -2], 1))], scores([NaN, -9]), cispo, 2);
    expect([sums.loss, sums.maxAbsLogprob]).toEqual([NaN, NaN]);
  });
});

const logprob = fc.double({ min: -6, max: -0.01, noNaN: true });
const sequence = fc.record({
  pairs: fc.array(
    fc.record({
      old: fc.oneof({ weight: 6, arbitrary: logprob }, fc.constant(NaN)),
      move: fc.double({ min: -1, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  advantage: fc.double({ min: -2, max: 2, noNaN: true }),
  weight: fc.double({ min: 0.1, max: 3, noNaN: true }),
});
const row = fc.array(sequence, { minLength: 1, maxLength: 4 });
type Sequence = { pairs: { old: number; move: number }[]; advantage: number; weight: number };
const branches = (sequences: Sequence[]) =>
  sequences.map(({ pairs, advantage, weight }) =>
    branch(
      pairs.map(({ old }) => old),
      advantage,
      weight,
    ),
  );
const current = ({ old, move }: { old: number; move: number }) => (Number.isNaN(old) ? -1 : old) + move;

describe('a row in parts', () => {
  it('adds up to the whole, gradient and sums', () => {
    fc.assert(
      fc.property(row, fc.constantFrom(...LEVELS), fc.boolean(), (sequences, importanceSamplingLevel, usePpo) => {
        const config = { ...(usePpo ? ppo : cispo), importanceSamplingLevel };
        const parts = branches(sequences).map((part) => [tree(part)]);
        const logprobs = sequences.map(({ pairs }) => pairs.map(current));
        const whole = rlLoss([tree(...branches(sequences))], scores(logprobs.flat(), 0.7), config, 12);
        const results = parts.map((trees, i) => rlLoss(trees, scores(logprobs[i]!, 0.7), config, 12));
        expect(results.flatMap(({ gradient }) => [...gradient])).toEqual([...whole.gradient]);
        const sums = results.reduce((total, result) => addRlSums(total, result.sums), noRlSums());
        const close = Object.entries(whole.sums).map(([name, value]) => [name, expect.closeTo(value, 9)]);
        expect(sums).toEqual(Object.fromEntries(close));
      }),
    );
  });
});
