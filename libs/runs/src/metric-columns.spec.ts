import { MAX_VALUES, stepsByMetric, toMetricColumns } from './metric-columns.js';
import type { MetricPoint } from './metric-point.js';

const NOW = new Date('2026-01-02T03:04:05Z');
const steps = (points: Parameters<typeof toMetricColumns>[0], lastStep: number | null = null): number[] =>
  toMetricColumns(points, lastStep, NOW).steps;

describe('toMetricColumns', () => {
  it("counts on from the run's greatest step where a point has none", () => {
    const metrics = { loss: 1 };
    expect(steps([{ metrics }, { metrics }])).toEqual([0, 1]);
    expect(steps([{ metrics }, { step: 20, metrics }, { step: 4, metrics }, { step: null, metrics }], 9)).toEqual([
      4, 10, 20, 21,
    ]);
  });

  it('keeps the later of two values of a metric at one step', () => {
    const columns = toMetricColumns(
      [
        { step: 3, metrics: { loss: 1, reward: 5 } },
        { step: 3, metrics: { loss: 2 } },
      ],
      null,
      NOW,
    );
    expect(columns).toEqual({
      names: ['loss', 'reward'],
      steps: [3, 3],
      values: [2, 5],
      timestamps: [NOW, NOW],
      lastStep: 3,
    });
  });

  it('keeps names apart that end in digits', () => {
    expect(toMetricColumns([{ step: 1, metrics: { '2 a': 1, a: 2 } }], null, NOW).names).toEqual(['2 a', 'a']);
  });

  it.each([
    [{ loss: NaN }, 'loss', 'finite_number'],
    [{ loss: -Infinity }, 'loss', 'finite_number'],
    [{ '': 1 }, '', 'metric_name'],
    [{ 'a\u0000b': 1 }, 'a\u0000b', 'metric_name'],
    [{ '\ud800': 1 }, '\ud800', 'metric_name'],
    [{ ['n'.repeat(257)]: 1 }, 'n'.repeat(257), 'metric_name'],
  ])('refuses %j, and names the place', (metrics, name, type) => {
    const points = [{ metrics: { fine: 1 } }, { metrics }];
    expect(() => toMetricColumns(points, null, NOW)).toThrow(
      expect.objectContaining({
        detail: [expect.objectContaining({ loc: ['body', 'points', '1', 'metrics', name], type })],
      }),
    );
  });

  it('refuses a step after the last that numbers can count to', () => {
    const points = [{ step: Number.MAX_SAFE_INTEGER, metrics: { a: 1 } }, { metrics: { a: 2 } }];
    expect(() => toMetricColumns(points, null, NOW)).toThrow(expect.objectContaining({ status: 422 }));
  });

  it(`takes ${MAX_VALUES} values and no more`, () => {
    const points = Array.from({ length: MAX_VALUES / 10 }, (_, step) => ({
      step,
      metrics: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`m${n}`, step])),
    }));
    expect(toMetricColumns(points, null, NOW).names).toHaveLength(MAX_VALUES);
    expect(() => toMetricColumns([...points, { metrics: { a: 1 } }], null, NOW)).toThrow(/at most 100000 values/);
  });
});

describe('stepsByMetric', () => {
  it('names the first and the last step of each metric, and how many there are', () => {
    const points: MetricPoint[] = [
      { step: 9, metrics: { loss: 1 } },
      { step: 4, metrics: { loss: 1, reward: 5 } },
      { metrics: { loss: 1 } },
    ];
    expect(stepsByMetric(toMetricColumns(points, 20, NOW))).toEqual([
      { name: 'loss', firstStep: 4, lastStep: 21, count: 3 },
      { name: 'reward', firstStep: 4, lastStep: 4, count: 1 },
    ]);
  });
});
