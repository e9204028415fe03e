import type { FilterOf } from '../events/event-filter.js';
import type { AnyFilter } from '../events/event-filter.js';
import type { EventType, MetricEventType } from '../events/event-types.js';
import { SlidingWindow, type Summary } from './sliding-window.js';

/** Values of a metric in step order: those that a batch wrote, from the first to the last, and their neighbours. */
export interface MetricStretch {
  values: readonly number[];
  /** How many at the beginning are older than the batch. */
  before: number;
  /** How many at the end are of later steps than the batch. */
  after: number;
}

export const NO_VALUES: MetricStretch = { values: [], before: 0, after: 0 };

/** What a condition found in a run's values. */
export interface MetricVerdict {
  met: boolean;
  /** `${metric_value}`; null where there are too few values to judge. */
  value: number | null;
  /** What was compared with the threshold, where that is not the value itself; in words. */
  note(): string;
}

export interface MetricCondition {
  metric: string;
  /** How many values it judges at a time. */
  needs: number;
  /** `${threshold}` */
  threshold: number;
  /**
   * Judges, in step order, each window that ends with a value of the batch or still holds one.
   * @returns the verdict on the first that meets the condition; on the last where none does
   */
  judge(stretch: MetricStretch): MetricVerdict;
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
  return judged(name, threshold, { recent: window_size, prior: 0 }, (recent) => {
    const value = AGGREGATES[agg_op ?? 'NEWEST'](recent);
    return { met: COMPARE[cmp_op](value, threshold), value, note: () => `${value} ${cmp_op} ${threshold}` };
  });
}

function change(filter: FilterOf<'RUN_METRIC_CHANGE'>): MetricCondition {
  const { name, agg_op, window_size = 1, change_type, change_dir = 'ANY', change_amount } = filter;
  const { prior_window_size = window_size } = filter;
  const aggregate = AGGREGATES[agg_op ?? 'NEWEST'];
  return judged(name, change_amount, { recent: window_size, prior: prior_window_size }, (recent, prior) => {
    const value = aggregate(recent);
    const before = aggregate(prior);
    const difference = value - before;
    // From 0, every change is infinitely large a fraction.
    const moved = change_type === 'RELATIVE' && difference !== 0 ? difference / Math.abs(before) : difference;
    const note = (): string => `from ${before} to ${value}: ${change_type.toLowerCase()} change of ${moved}`;
    return { met: moved !== 0 && inDirection(change_dir, moved) >= change_amount, value, note };
  });
}

function zScore(filter: FilterOf<'RUN_METRIC_ZSCORE'>): MetricCondition {
  const { name, window_size = 30, threshold = 3, change_dir = 'ANY' } = filter;
  return judged(name, threshold, { recent: 1, prior: window_size }, ({ newest: value }, prior) => {
    // Equal values may lie some rounding error from their mean.
    const deviation = prior.min === prior.max ? 0 : Math.sqrt(prior.squares / prior.count);
    // A value that never moved has no scale to measure by.
    if (deviation === 0) return { met: false, value, note: () => 'all values before are equal' };
    const score = (value - AGGREGATES.AVERAGE(prior)) / deviation;
    return { met: inDirection(change_dir, score) >= threshold, value, note: () => `z-score ${score}` };
  });
}

function judged(
  metric: string,
  threshold: number,
  sizes: { recent: number; prior: number },
  rule: (recent: Summary, prior: Summary) => MetricVerdict,
): MetricCondition {
  const needs = sizes.recent + sizes.prior;
  const judge = ({ values, before, after }: MetricStretch): MetricVerdict => {
    const start = Math.max(0, before - needs + 1);
    const end = values.length - Math.max(0, after - needs + 1);
    const note = (): string => `${end - start} of the ${needs} values that the window needs`;
    let verdict: MetricVerdict = { met: false, value: null, note };
    const recent = new SlidingWindow(sizes.recent);
    const prior = new SlidingWindow(sizes.prior);
    for (let n = start; n < end && !verdict.met; n++) {
      const left = recent.push(values[n]!);
      if (left !== undefined) prior.push(left);
      if (n >= before && recent.isFull && prior.isFull) verdict = rule(recent.summary, prior.summary);
    }
    return verdict;
  };
  return { metric, needs, threshold, judge };
}

const AGGREGATES = {
  MIN: ({ min }: Summary) => min,
  MAX: ({ max }: Summary) => max,
  AVERAGE: ({ sum, count }: Summary) => sum / count,
  NEWEST: ({ newest }: Summary) => newest,
};

const COMPARE = {
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '=': (a: number, b: number) => a === b,
  '!=': (a: number, b: number) => a !== b,
};

/** How far it moved in the direction that counts. */
function inDirection(direction: Direction, moved: number): number {
  if (direction === 'ANY') return Math.abs(moved);
  return direction === 'INCREASE' ? moved : -moved;
}
