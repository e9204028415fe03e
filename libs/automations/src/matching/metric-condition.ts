import type { FilterOf } from '../events/event-filter.js';
import type { AnyFilter } from '../events/event-filter.js';
import type { EventType, MetricEventType } from '../events/event-types.js';

/** What a condition found in a run's values. */
export interface MetricVerdict {
  met: boolean;
  /** `${metric_value}`; null where there are too few values to judge. */
  value: number | null;
  /** What was compared with the threshold, where that is not the value itself; in words. */
  note: string;
}

export interface MetricCondition {
  metric: string;
  /** How many of the newest values it judges. */
  needs: number;
  /** `${threshold}` */
  threshold: number;
  /** @param newest the run's values, the newest first, at most `needs` of them */
  judge(newest: readonly number[]): MetricVerdict;
}

type Direction = 'INCREASE' | 'DECREASE' | 'ANY';

/** The condition on the values of a metric; undefined for event types that have none. */
export function metricCondition(type: EventType, filter: AnyFilter): MetricCondition | undefined {
  const build = BUILDERS[type as MetricEventType] as ((filter: AnyFilter) => MetricCondition) | undefined;
  return build?.(filter);
}

const BUILDERS = {
  RUN_METRIC: threshold,
  RUN_METRIC_CHANGE: change,
  RUN_METRIC_ZSCORE: zScore,
};

function threshold({ name, agg_op, window_size = 1, cmp_op, threshold }: FilterOf<'RUN_METRIC'>): MetricCondition {
  return judged(name, window_size, threshold, (newest) => {
    const value = aggregate(agg_op, newest);
    return { met: COMPARE[cmp_op](value, threshold), value, note: `${value} ${cmp_op} ${threshold}` };
  });
}

function change(filter: FilterOf<'RUN_METRIC_CHANGE'>): MetricCondition {
  const { name, agg_op, window_size = 1, change_type, change_dir = 'ANY', change_amount } = filter;
  const { prior_window_size = window_size } = filter;
  return judged(name, window_size + prior_window_size, change_amount, (newest) => {
    const value = aggregate(agg_op, newest.slice(0, window_size));
    const before = aggregate(agg_op, newest.slice(window_size));
    const difference = value - before;
    // From 0, every change is infinitely large a fraction.
    const moved = change_type === 'RELATIVE' && difference !== 0 ? difference / Math.abs(before) : difference;
    const note = `from ${before} to ${value}: ${change_type.toLowerCase()} change of ${moved}`;
    return { met: moved !== 0 && inDirection(change_dir, moved) >= change_amount, value, note };
  });
}

function zScore(filter: FilterOf<'RUN_METRIC_ZSCORE'>): MetricCondition {
  const { name, window_size = 30, threshold = 3, change_dir = 'ANY' } = filter;
  return judged(name, window_size + 1, threshold, ([value = 0, ...before]) => {
    const mean = average(before);
    const deviation = Math.sqrt(average(before.map((each) => (each - mean) ** 2)));
    // A value that never moved has no scale to measure by.
    if (deviation === 0) return { met: false, value, note: 'all values before are equal' };
    const score = (value - mean) / deviation;
    return { met: inDirection(change_dir, score) >= threshold, value, note: `z-score ${score}` };
  });
}

function judged(
  metric: string,
  needs: number,
  threshold: number,
  judge: (newest: readonly number[]) => MetricVerdict,
): MetricCondition {
  const tooFew = (count: number): MetricVerdict => ({
    met: false,
    value: null,
    note: `${count} of the ${needs} values that the window needs`,
  });
  return {
    metric,
    needs,
    threshold,
    judge: (newest) => (newest.length < needs ? tooFew(newest.length) : judge(newest)),
  };
}

const COMPARE = {
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '=': (a: number, b: number) => a === b,
  '!=': (a: number, b: number) => a !== b,
};

function aggregate(operation: 'MIN' | 'MAX' | 'AVERAGE' | undefined, newest: readonly number[]): number {
  switch (operation) {
    case 'MIN':
      return Math.min(...newest);
    case 'MAX':
      return Math.max(...newest);
    case 'AVERAGE':
      return average(newest);
    case undefined:
      return newest[0]!;
  }
}

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** How far it moved in the direction that counts. */
function inDirection(direction: Direction, moved: number): number {
  if (direction === 'ANY') return Math.abs(moved);
  return direction === 'INCREASE' ? moved : -moved;
}
