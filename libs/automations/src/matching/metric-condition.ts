import { type ConditionWords, inWords, VERBS } from './condition-words.js';
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
  /** The values that it was made of, the oldest first; none where there are too few to judge. */
  values: readonly number[];
  /** What was compared with the threshold, where that is not the value itself; in words. */
  note(): string;
}

export interface MetricCondition {
  metric: string;
  /** How many values it judges at a time. */
  needs: number;
  /** `${threshold}`; null where nothing is compared with one. */
  threshold: number | null;
  /** `${metric_filter}` and `${metric_filter_short}` */
  text: string;
  shortText: string;
  /**
   * Judges, in step order, each window that ends with a value of the batch or still holds one.
   * @returns the verdict on the first that meets the condition; on the last where none does
   */
  judge(stretch: MetricStretch): MetricVerdict;
}

/** The condition on the values of a metric; undefined for event types that have none. */
export function metricCondition(type: EventType, filter: AnyFilter): MetricCondition | undefined {
  const build = BUILDERS[type as MetricEventType] as ((filter: AnyFilter) => MetricCondition) | undefined;
  return build?.(filter);
}

const BUILDERS = {
  RUN_METRIC: threshold,
  RUN_METRIC_CHANGE: change,
  RUN_METRIC_ZSCORE: zScore,
  RUN_METRIC_NOT_FINITE: notFinite,
};

function threshold({ name, agg_op, window_size = 1, cmp_op, threshold }: FilterOf<'RUN_METRIC'>): MetricCondition {
  const words = inWords(agg_op, name, window_size, `${cmp_op} ${threshold}`);
  return judged({ name, threshold, recent: window_size, prior: 0, ...words }, (recent) => {
    const value = AGGREGATES[agg_op ?? 'NEWEST'](recent);
    return { met: COMPARE[cmp_op](value, threshold), value, note: () => `${value} ${cmp_op} ${threshold}` };
  });
}

function change(filter: FilterOf<'RUN_METRIC_CHANGE'>): MetricCondition {
  const { name, agg_op, window_size = 1, change_type, change_dir = 'ANY', change_amount } = filter;
  const { prior_window_size = window_size } = filter;
  const aggregate = AGGREGATES[agg_op ?? 'NEWEST'];
  const amount = change_type === 'RELATIVE' ? `${change_amount * 100} %` : change_amount;
  const words = inWords(agg_op, name, window_size, `${VERBS[change_dir]} by ${amount}`, prior_window_size);
  return judged(
    { name, threshold: change_amount, recent: window_size, prior: prior_window_size, ...words },
    (recent, prior) => {
      const value = aggregate(recent);
      const before = aggregate(prior);
      const difference = value - before;
      // From 0, every change is infinitely large a fraction.
      const moved = change_type === 'RELATIVE' && difference !== 0 ? difference / Math.abs(before) : difference;
      const note = (): string => `from ${before} to ${value}: ${change_type.toLowerCase()} change of ${moved}`;
      return { met: moved !== 0 && inDirection(change_dir, moved) >= change_amount, value, note };
    },
  );
}

function zScore(filter: FilterOf<'RUN_METRIC_ZSCORE'>): MetricCondition {
  const { name, window_size = 30, threshold = 3, change_dir = 'ANY' } = filter;
  const words = inWords(undefined, name, 1, `${VERBS[change_dir]} by ${threshold} standard deviations`, window_size);
  return judged({ name, threshold, recent: 1, prior: window_size, ...words }, ({ newest: value }, prior) => {
    // Equal values may lie some rounding error from their mean.
    const deviation = prior.min === prior.max ? 0 : Math.sqrt(prior.squares / prior.count);
    // A value that never moved has no scale to measure by.
    if (deviation === 0) return { met: false, value, note: () => 'all values before are equal' };
    const score = (value - AGGREGATES.AVERAGE(prior)) / deviation;
    return { met: inDirection(change_dir, score) >= threshold, value, note: () => `z-score ${score}` };
  });
}

function notFinite({ name: metric }: FilterOf<'RUN_METRIC_NOT_FINITE'>): MetricCondition {
  const judge = ({ values, before, after }: MetricStretch): MetricVerdict => {
    const written = values.slice(before, values.length - after);
    const value = written.find((each) => !Number.isFinite(each)) ?? written.at(-1);
    if (value === undefined) return { met: false, value: null, values: [], note: () => 'no value' };
    const met = !Number.isFinite(value);
    return { met, value, values: [value], note: () => `${value} is ${met ? 'not ' : ''}finite` };
  };
  return { metric, needs: 1, threshold: null, ...inWords(undefined, metric, 1, 'is not finite'), judge };
}

interface Judged extends ConditionWords {
  name: string;
  threshold: number;
  /** Sizes of the window that is judged, and of the one before that it is compared with. */
  recent: number;
  prior: number;
}

/** One NaN would make every sum and mean NaN that holds it: windows are of finite values, as if there were no others. */
function finiteOf({ values, before, after }: MetricStretch): MetricStretch {
  const finite = (part: readonly number[]): number[] => part.filter(Number.isFinite);
  return {
    values: finite(values),
    before: finite(values.slice(0, before)).length,
    after: finite(values.slice(values.length - after)).length,
  };
}

function judged(
  { name: metric, threshold, text, shortText, ...sizes }: Judged,
  rule: (recent: Summary, prior: Summary) => Omit<MetricVerdict, 'values'>,
): MetricCondition {
  const needs = sizes.recent + sizes.prior;
  const judge = (stretch: MetricStretch): MetricVerdict => {
    const { values, before, after } = finiteOf(stretch);
    const start = Math.max(0, before - needs + 1);
    const end = values.length - Math.max(0, after - needs + 1);
    const note = (): string => `${end - start} of the ${needs} values that the window needs`;
    let verdict: MetricVerdict = { met: false, value: null, values: [], note };
    const recent = new SlidingWindow(sizes.recent);
    const prior = new SlidingWindow(sizes.prior);
    for (let n = start; n < end && !verdict.met; n++) {
      const left = recent.push(values[n]!);
      if (left !== undefined) prior.push(left);
      if (n >= before && recent.isFull && prior.isFull) {
        verdict = { ...rule(recent.summary, prior.summary), values: values.slice(n + 1 - sizes.recent, n + 1) };
      }
    }
    return verdict;
  };
  return { metric, needs, threshold, text, shortText, judge };
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
function inDirection(direction: keyof typeof VERBS, moved: number): number {
  if (direction === 'ANY') return Math.abs(moved);
  return direction === 'INCREASE' ? moved : -moved;
}
