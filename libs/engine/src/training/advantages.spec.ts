import fc from 'fast-check';
import { groupAdvantages, normalizeAdvantages, populationStdDev } from './advantages.js';

describe('groupAdvantages', () => {
  it('subtracts the mean and divides by the population standard deviation', () => {
    // Mean 1, variance (1 + 1 + 0 + 0) / 4.
    const [low, high, ...middle] = groupAdvantages([0, 2, 1, 1], true);
    expect(low).toBeCloseTo(-1 / (Math.SQRT1_2 + 1e-6), 12);
    expect(high).toBeCloseTo(1 / (Math.SQRT1_2 + 1e-6), 12);
    expect(middle).toEqual([0, 0]);
  });

  it('only subtracts the mean where rewards are not to be scaled', () => {
    expect(groupAdvantages([0, 3, 0], false)).toEqual([-1, 2, -1]);
  });

  it.each([[[]], [[5]], [[0.1, 0.1, 0.1]], [[1e9, 1e9]], [[-0.3, -0.3, -0.3, -0.3, -0.3, -0.3, -0.3]]])(
    'gives only zeros for %j, whatever rounding does to the mean',
    (rewards) => {
      expect(groupAdvantages(rewards, true).every((advantage) => advantage === 0)).toBe(true);
    },
  );

  it('takes a reward at the mean for one, though the mean is rounded', () => {
    expect(groupAdvantages([0.1, 0.2, 0.3], true)[1]).toBe(0);
  });

  it('keeps small differences of large rewards', () => {
    expect(groupAdvantages([1e6, 1e6 + 1], false)).toEqual([-0.5, 0.5]);
  });

  it('sums to 0, has size 1 when scaled, and ignores a constant added to all rewards', () => {
    const rewards = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(rewards, fc.integer({ min: -50, max: 50 }), (values, shift) => {
        const advantages = groupAdvantages(values, true);
        expect(advantages.reduce((a, b) => a + b)).toBeCloseTo(0, 9);
        if (new Set(values).size > 1) expect(populationStdDev(advantages)).toBeCloseTo(1, 4);
        groupAdvantages(
          values.map((value) => value + shift),
          true,
        ).forEach((advantage, i) => expect(advantage).toBeCloseTo(advantages[i]!, 9));
      }),
    );
  });
});

describe('normalizeAdvantages', () => {
  it('gives each trajectory the same say, however long it is', () => {
    const result = normalizeAdvantages(
      [
        { advantage: 1, tokens: 2 },
        { advantage: -3, tokens: 6 },
      ],
      0,
    );
    // Weights 1/2 and 1/6 over 2 + 6 tokens have the mean 1/4; |A| w sums to 2 * 1 * 2 + 6 * 3 * 2/3 = 16, mean 2.
    expect(result[0]!.weight).toBeCloseTo(2, 12);
    expect(result[1]!.weight).toBeCloseTo(2 / 3, 12);
    expect(result.map(({ advantage }) => advantage)).toEqual([0.5, -1.5]);
  });

  it.each([
    [0, [1, -1]],
    // Negative advantages count half: sizes 1 and 0.5, mean 0.75.
    [0.5, [4 / 3, -2 / 3]],
    [-0.5, [2 / 3, -4 / 3]],
    [1, [2, -0]],
    [-1, [0, -2]],
  ])('balances signs with advantage_balance %p', (balance, expected) => {
    const trajectories = [
      { advantage: 1, tokens: 4 },
      { advantage: -1, tokens: 4 },
    ];
    normalizeAdvantages(trajectories, balance).forEach(({ advantage }, i) =>
      expect(advantage).toBeCloseTo(expected[i]!, 12),
    );
  });

  it('divides nothing by 0', () => {
    expect(normalizeAdvantages([], 0)).toEqual([]);
    expect(normalizeAdvantages([{ advantage: -1, tokens: 3 }], 1)).toEqual([{ advantage: 0, weight: 1 }]);
  });

  it('makes the means over all tokens 1', () => {
    const trajectory = fc.record({
      advantage: fc.double({ min: 0.01, max: 10, noNaN: true }).chain((size) => fc.constantFrom(size, -size)),
      tokens: fc.integer({ min: 1, max: 500 }),
    });
    fc.assert(
      fc.property(
        fc.array(trajectory, { minLength: 1, maxLength: 30 }),
        fc.double({ min: -0.9, max: 0.9, noNaN: true }),
        (trajectories, balance) => {
          const perToken = normalizeAdvantages(trajectories, balance).flatMap((values, i) =>
            new Array<typeof values>(trajectories[i]!.tokens).fill(values),
          );
          const mean = (values: number[]) => values.reduce((a, b) => a + b) / values.length;
          expect(mean(perToken.map(({ weight }) => weight))).toBeCloseTo(1, 9);
          expect(mean(perToken.map(({ weight, advantage }) => weight * Math.abs(advantage)))).toBeCloseTo(1, 9);
        },
      ),
    );
  });
});
