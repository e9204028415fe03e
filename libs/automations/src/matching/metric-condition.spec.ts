import { metricCondition, type MetricStretch } from './metric-condition.js';

const logged = (values: number[], before = 0, after = 0): MetricStretch => ({ values, before, after });

function condition(type: 'RUN_METRIC' | 'RUN_METRIC_CHANGE' | 'RUN_METRIC_ZSCORE', filter: Record<string, unknown>) {
  return metricCondition(type, { name: 'reward', ...filter })!;
}

describe('metricCondition', () => {
  const average = condition('RUN_METRIC', { agg_op: 'AVERAGE', window_size: 10, cmp_op: '>=', threshold: 0.9 });

  it('averages successes and failures without rounding errors', () => {
    const failing = Array.from({ length: 100 }, (_, n) => (n % 5 === 0 ? 0 : 1));
    expect(average.judge(logged(failing))).toMatchObject({ met: false, value: 0.8 });
    const better = [...failing, 0, ...Array<number>(9).fill(1)];
    expect(average.judge(logged(better))).toMatchObject({ met: true, value: 0.9 });
  });

  it('takes from what was there no more than the window needs', () => {
    const { judge, needs } = average;
    expect(needs).toBe(10);
    expect(judge(logged([...Array<number>(50).fill(1), 0, 0], 50)).value).toBe(0.9);
    expect(judge(logged([...Array<number>(50).fill(1), 0, 0], 51)).value).toBe(0.8);
  });

  it('judges later windows as long as they hold a value of the batch', () => {
    const { judge } = condition('RUN_METRIC', { agg_op: 'MAX', window_size: 3, cmp_op: '>', threshold: 5 });
    expect(judge(logged([1, 9, 1, 1, 1], 1, 3))).toMatchObject({ met: true, value: 9 });
    expect(judge(logged([1, 1, 1, 9], 0, 2))).toMatchObject({ met: true });
    expect(judge(logged([1, 1, 1, 9], 0, 3))).toMatchObject({ met: false, value: 1 });
  });

  it('says how many values there are where they are too few', () => {
    const verdict = average.judge(logged([1, 1, 1], 1));
    expect(verdict).toMatchObject({ met: false, value: null });
    expect(verdict.note()).toBe('3 of the 10 values that the window needs');
  });

  it('has no z-score for a value that never moved', () => {
    const zScore = condition('RUN_METRIC_ZSCORE', { window_size: 3 });
    expect(zScore.judge(logged([0.1, 0.1, 0.1, 0.1, 0.1, 9]))).toMatchObject({ met: false, value: 9 });
  });
});
