import fc from 'fast-check';
import type { ImportanceSamplingLevel } from '../protocol/rl-config.schema.js';
import { resolveRlConfig } from './rl-config.js';
import { type RlBranch, rlLoss, type RlLossConfig } from './rl-loss.js';

/** The formulas of the contract, written down a second time in plain f64: loss of one sequence with weight and T of 1. */
function formula(logprobs: number[], frozen: number[], branch: RlBranch, config: RlLossConfig): number {
  const difference = (values: number[]) => values.map((value, t) => value - oldOf(branch, frozen, t));
  const ratio = (values: number[], t: number) => {
    const d = difference(values);
    const token = Math.exp(d[t]!);
    const sequence = Math.exp(d.reduce((a, b) => a + b) / d.length);
    const raw = {
      token,
      sequence,
      average: (token + sequence) / 2,
      geometric_average: Math.sqrt(token * sequence),
    }[config.importanceSamplingLevel];
    const capped = Math.min(raw, config.maxRatio ?? Infinity);
    const inside = capped > 1 - config.epsilon && capped < 1 + config.epsilonHigh;
    return config.maskRatio && !inside ? 0 : capped;
  };
  const clip = (value: number) => Math.min(Math.max(value, 1 - config.epsilon), 1 + config.epsilonHigh);
  return logprobs.reduce((loss, logprob, t) => {
    const advantage = branch.advantage - config.kimiTau * difference(frozen)[t]!;
    if (config.lossFunction === 'cispo') return loss - clip(ratio(frozen, t)) * advantage * logprob;
    const moving = ratio(logprobs, t);
    return loss - Math.min(moving * advantage, clip(moving) * advantage);
  }, 0);
}

/** A missing old log probability is the current one, held still. */
function oldOf(branch: RlBranch, frozen: number[], t: number): number {
  const old = branch.oldLogprobs[t]!;
  return Number.isNaN(old) ? frozen[t]! : old;
}

const target = fc.record({
  logprob: fc.float({ min: -4, max: Math.fround(-0.01), noNaN: true }),
  old: fc.oneof(
    { weight: 5, arbitrary: fc.float({ min: -4, max: Math.fround(-0.01), noNaN: true }) },
    fc.constant(NaN),
  ),
});
const fields = fc.record({
  kimiTau: fc.constantFrom(0, 0.3),
  maxRatio: fc.constantFrom(null, 1.7),
  maskRatio: fc.boolean(),
  epsilon: fc.constantFrom(0.2, 0.6, 1),
  epsilonHigh: fc.constantFrom(0.28, 2, 4),
});

const LEVELS: ImportanceSamplingLevel[] = ['token', 'sequence', 'average', 'geometric_average'];
const STEP = 1e-5;

describe.each(['cispo', 'ppo'] as const)('%s', (lossFunction) => {
  it.each(LEVELS)('has the loss and the gradient of the formula by %s', (importanceSamplingLevel) => {
    fc.assert(
      fc.property(
        fc.array(target, { minLength: 1, maxLength: 6 }),
        fc.double({ min: -2, max: 2, noNaN: true }),
        fields,
        (targets, advantage, changed) => {
          const config = { ...resolveRlConfig({}), ...changed, lossFunction, importanceSamplingLevel };
          const logprobs = targets.map(({ logprob }) => logprob);
          const branch: RlBranch = {
            tokens: new Int32Array(targets.length + 1),
            targets: Int32Array.from(targets, (_, i) => i + 1),
            oldLogprobs: Float32Array.from(targets, ({ old }) => old),
            advantage,
            weight: 1,
          };
          const { gradient, sums } = rlLoss(
            [{ prefix: new Int32Array(1), branches: [branch] }],
            { logprobs: Float32Array.from(logprobs), entropies: new Float32Array(logprobs.length) },
            config,
            1,
          );
          const slopeErrors = logprobs.map((value, j) => {
            const moved = (by: number) => formula(logprobs.with(j, value + by), logprobs, branch, config);
            const right = (moved(STEP) - moved(0)) / STEP;
            const left = (moved(0) - moved(-STEP)) / STEP;
            const scale = 1 + Math.abs(right) + Math.abs(left);
            // At a corner of the loss (an end of the clip range or of the mask) there is no slope to compare with.
            if (Math.abs(right - left) > 1e-2 * scale) return 0;
            return Math.abs(gradient[j]! - (right + left) / 2) / scale;
          });
          expect(sums.loss).toBeCloseTo(formula(logprobs, logprobs, branch, config), 8);
          expect(Math.max(...slopeErrors)).toBeLessThan(1e-4);
        },
      ),
      { numRuns: 150 },
    );
  });
});
