import type { ImportanceSamplingLevel } from '../protocol/rl-config.schema.js';
import { ImportanceRatios } from './importance-ratio.js';

const D = Float64Array.of(Math.log(2), Math.log(8), 0);
// Mean of the logarithms: log(16) / 3.
const SEQUENCE = 16 ** (1 / 3);

describe('ImportanceRatios', () => {
  it.each<[ImportanceSamplingLevel, number[]]>([
    ['token', [2, 8, 1]],
    ['sequence', [SEQUENCE, SEQUENCE, SEQUENCE]],
    ['average', [(2 + SEQUENCE) / 2, (8 + SEQUENCE) / 2, (1 + SEQUENCE) / 2]],
    ['geometric_average', [Math.sqrt(2 * SEQUENCE), Math.sqrt(8 * SEQUENCE), Math.sqrt(SEQUENCE)]],
  ])('compares by %s', (level, expected) => {
    new ImportanceRatios(D, level).values.forEach((ratio, t) => expect(ratio).toBeCloseTo(expected[t]!, 12));
  });

  it.each<ImportanceSamplingLevel>(['token', 'sequence', 'average', 'geometric_average'])(
    'knows the slope by %s',
    (level) => {
      const upstream = Float64Array.of(0.3, -1.2, 0.7);
      const value = (d: Float64Array) =>
        new ImportanceRatios(d, level).values.reduce((sum, ratio, t) => sum + ratio * upstream[t]!, 0);
      const gradient = new Float64Array(3);
      new ImportanceRatios(D, level).backward(upstream, gradient);
      D.forEach((d, j) => {
        const step = 1e-6;
        const slope = (value(D.with(j, d + step)) - value(D.with(j, d - step))) / (2 * step);
        expect(gradient[j]).toBeCloseTo(slope, 7);
      });
    },
  );

  it('stays finite, and still, beyond e^20', () => {
    for (const level of ['token', 'sequence', 'average', 'geometric_average'] as const) {
      const ratios = new ImportanceRatios(Float64Array.of(5000, 5000), level);
      const gradient = new Float64Array(2);
      ratios.backward(Float64Array.of(1, 1), gradient);
      expect(ratios.values[0]! / Math.exp(20)).toBeCloseTo(1, 12);
      expect([...gradient]).toEqual([0, 0]);
    }
  });
});
