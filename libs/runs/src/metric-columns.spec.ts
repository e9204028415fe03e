import { MAX_VALUES, stepsByMetric, toMetricColumns } from './metric-columns.js';
import type { MetricPoint } from './metric-point.js';

const NOW = new Date('2026-01-02T03:04:05Z');
const steps = async (points: Parameters<typeof toMetricColumns>[0], lastStep: number | null = null) =>
  (await toMetricColumns(points, lastStep, NOW)).steps;

describe('toMetricColumns', () => {
  it("counts on from the run's greatest step where a point has none", async () => {
    const metrics = { loss: 1 };
    expect(await steps([{ metrics }, { metrics }])).toEqual([0, 1]);
    expect(await steps([{ metrics }, { step: 20, metrics }, { step: 4, metrics }, { step: null, metrics }], 9)).toEqual(
      [4, 10, 20, 21],
    );
  });

  it('keeps the later of two values of a metric at one step', async () => {
    const columns = await toMetricColumns(
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

  it('keeps what is not finite', async () => {
    const metrics = { a: NaN, b: Infinity, c: -Infinity, d: 1 };
    expect((await toMetricColumns([{ step: 1, metrics }], null, NOW)).values).toEqual([NaN, Infinity, -Infinity, 1]);
  });

  it('keeps names apart that end in digits', async () => {
    const { names } = await toMetricColumns([{ step: 1, metrics: { '2 a': 1, a: 2 } }], null, NOW);
    expect(names).toEqual(['2 a', 'a']);
  });

  it.each([
    [{ '': 1 }, '', 'metric_name'],
    [{ 'a\u0000b': 1 }, 'a\u0000b', 'metric_name'],
    [{ '\ud800': 1 }, '\ud800', 'metric_name'],
    [{ ['n'.repeat(257)]: 1 }, 'n'.repeat(257), 'metric_name'],
  ])('refuses %j, and names the place', async (metrics, name, type) => {
    const points = [{ metrics: { fine: 1 } }, { metrics }];
    await expect(toMetricColumns(points, null, NOW)).rejects.toThrow(
      expect.objectContaining({
        detail: [expect.objectContaining({ loc: ['body', 'points', '1', 'metrics', name], type })],
      }),
    );
  });

  it('refuses a step after the last that numbers can count to', async () => {
    const points = [{ step: Number.MAX_SAFE_INTEGER, metrics: { a: 1 } }, { metrics: { a: 2 } }];
    await expect(toMetricColumns(points, null, NOW)).rejects.toThrow(expect.objectContaining({ status: 422 }));
  });

  it(`takes ${MAX_VALUES} values and no more`, async () => {
    const points = Array.from({ length: MAX_VALUES / 10 }, (_, step) => ({
      step,
      metrics: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`m${n}`, step])),
    }));
    expect((await toMetricColumns(points, null, NOW)).names).toHaveLength(MAX_VALUES);
    await expect(toMetricColumns([...points, { metrics: { a: 1 } }], null, NOW)).rejects.toThrow(
      /at most 100000 values/,
    );
  });
});

describe('stepsByMetric', () => {
  it('names the first and the last step of each metric, and how many there are', async () => {
    const points: MetricPoint[] = [
      { step: 9, metrics: { loss: 1 } },
      { step: 4, metrics: { loss: 1, reward: 5 } },
      { metrics: { loss: 1 } },
    ];
    expect(stepsByMetric(await toMetricColumns(points, 20, NOW))).toEqual([
      { name: 'loss', firstStep: 4, lastStep: 21, count: 3 },
      { name: 'reward', firstStep: 4, lastStep: 4, count: 1 },
    ]);
  });
});
