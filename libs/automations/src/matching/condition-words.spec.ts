import { describe, expect, it } from '@jest/globals';
import { metricCondition } from './metric-condition.js';

const change = {
  name: 'loss',
  agg_op: 'AVERAGE',
  window_size: 5,
  change_type: 'RELATIVE',
  change_amount: 0.1,
} as const;

describe('a condition in words', () => {
  it.each([
    ['RUN_METRIC', { name: 'loss', cmp_op: '<', threshold: 0.1 }, 'loss < 0.1', ''],
    [
      'RUN_METRIC',
      { name: 'reward', agg_op: 'MAX', window_size: 3, cmp_op: '>=', threshold: 1 },
      'MAX(reward) >= 1',
      ' over 3 values',
    ],
    [
      'RUN_METRIC_CHANGE',
      { ...change, prior_window_size: 1, change_dir: 'DECREASE' },
      'AVERAGE(loss) falls by 10 %',
      ' over 5 values against the 1 value before',
    ],
    ['RUN_METRIC_NOT_FINITE', { name: 'loss' }, 'loss is not finite', ''],
    ['RUN_METRIC_ZSCORE', { name: 'loss' }, 'loss changes by 3 standard deviations', ' against the 30 values before'],
  ] as const)('says of %s what it watches', (type, filter, shortText, windows) => {
    expect(metricCondition(type, filter)).toMatchObject({ shortText, text: shortText + windows });
  });

  it('has the values that it judged beside it, the oldest first', () => {
    const condition = metricCondition('RUN_METRIC', {
      name: 'loss',
      agg_op: 'AVERAGE',
      window_size: 2,
      cmp_op: '<',
      threshold: 0,
    });
    const verdict = condition!.judge({ values: [5, -4, -2, -6], before: 2, after: 0 });
    expect([verdict.met, verdict.value, verdict.values, verdict.note()]).toEqual([true, -3, [-4, -2], '-3 < 0']);
    expect(condition!.judge({ values: [5], before: 0, after: 0 }).values).toEqual([]);
  });
});
