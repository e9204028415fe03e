import type { MetricEventType } from '../events/event-types.js';
import { metricCondition, type MetricStretch } from './metric-condition.js';

const logged = (values: number[], before = 0, after = 0): MetricStretch => ({ values, before, after });

function condition(type: MetricEventType, filter: Record<string, unknown> = {}) {
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

describe('a condition on values that are not all finite', () => {
  const BAD = [NaN, Infinity, -Infinity];
  /** What is not finite stands before, between and behind what is. */
  const spoilt = (values: number[]): number[] => values.flatMap((value) => [...BAD, value]).concat(BAD);

  it.each<[MetricEventType, Record<string, unknown>, number[]]>([
    ['RUN_METRIC', { cmp_op: '>', threshold: 5 }, [1, 6]],
    ['RUN_METRIC', { cmp_op: '!=', threshold: 5 }, [5, 5]],
    ['RUN_METRIC', { agg_op: 'MAX', window_size: 3, cmp_op: '>', threshold: 5 }, [1, 2, 3, 4, 5]],
    ['RUN_METRIC', { agg_op: 'MIN', window_size: 3, cmp_op: '<', threshold: 0 }, [3, 2, 1]],
    ['RUN_METRIC', { agg_op: 'AVERAGE', window_size: 2, cmp_op: '>=', threshold: 2 }, [1, 2, 3]],
    ['RUN_METRIC', { agg_op: 'AVERAGE', window_size: 9, cmp_op: '>=', threshold: 2 }, [1, 2, 3]],
    ['RUN_METRIC_CHANGE', { change_type: 'ABSOLUTE', change_amount: 5 }, [1, 7]],
    ['RUN_METRIC_CHANGE', { change_type: 'RELATIVE', change_amount: 0.5 }, [4, 5]],
    ['RUN_METRIC_ZSCORE', { window_size: 4 }, [1, 2, 1, 2, 1, 9]],
    ['RUN_METRIC_ZSCORE', { window_size: 4 }, [1, 2, 1, 2, 1, 2]],
  ])('%s %j judges %j alike with and without them', (type, filter, values) => {
    const { judge } = condition(type, filter);
    const { note, ...without } = judge(logged(values));
    const { note: noteWith, ...withThem } = judge(logged(spoilt(values)));
    expect([withThem, noteWith()]).toEqual([without, note()]);
  });

  it('judges nothing where nothing else came', () => {
    const { judge } = condition('RUN_METRIC', { cmp_op: '!=', threshold: 5 });
    expect(judge(logged(BAD))).toMatchObject({ met: false, value: null, values: [] });
    expect(judge(logged([7, ...BAD], 1))).toMatchObject({ met: false, value: null });
  });

  it('takes neighbours for what they are, wherever those stand that do not count', () => {
    const { judge } = condition('RUN_METRIC', { agg_op: 'AVERAGE', window_size: 3, cmp_op: '>', threshold: 5 });
    expect(judge(logged([9, NaN, 9, NaN, 3, NaN, 9], 4, 2))).toMatchObject({ met: true, value: 7, values: [9, 9, 3] });
  });
});

describe('RUN_METRIC_NOT_FINITE', () => {
  const { judge, needs, threshold } = condition('RUN_METRIC_NOT_FINITE');

  it('is met by the first value of a batch that is not finite', () => {
    const verdict = judge(logged([1, Infinity, NaN, 2]));
    expect(verdict).toMatchObject({ met: true, value: Infinity, values: [Infinity] });
    expect([verdict.note(), needs, threshold]).toEqual(['Infinity is not finite', 1, null]);
  });

  it('is not met by the neighbours of a batch, nor by what is finite', () => {
    const verdict = judge(logged([NaN, 1, 1.7e308, -Infinity], 1, 1));
    expect(verdict).toMatchObject({ met: false, value: 1.7e308, values: [1.7e308] });
    expect(verdict.note()).toBe('1.7e+308 is finite');
    expect(judge(logged([]))).toMatchObject({ met: false, value: null, values: [] });
  });
});
