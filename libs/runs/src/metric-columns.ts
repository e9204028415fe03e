import type { MetricSteps } from '@heddle/events';
import { ValidationError } from '@heddle/http';
import type { MetricColumns, MetricPoint } from './metric-point.js';

export const MAX_METRIC_NAME_LENGTH = 256;
/** Values of one batch. */
export const MAX_VALUES = 100_000;

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
const POINTS = ['body', 'points'];

interface Row {
  name: string;
  step: number;
  value: number;
  timestamp: Date;
}

/**
 * Gives steps to the points that have none. Of two values of a metric at one step the later stays, as it would if they
 * came in two batches.
 * @param lastStep the run's greatest step so far
 * @throws ValidationError that names the point and the metric
 */
export function toMetricColumns(points: readonly MetricPoint[], lastStep: number | null, now: Date): MetricColumns {
  const rows = new Map<string, Row>();
  let last = lastStep ?? -1;
  let values = 0;
  points.forEach((point, index) => {
    const step = point.step ?? last + 1;
    if (!Number.isSafeInteger(step)) throw ValidationError.at([...POINTS, index, 'step'], 'is too great', 'step');
    last = Math.max(last, step);
    for (const [name, value] of Object.entries(point.metrics)) {
      checkMetric(name, value, [...POINTS, index, 'metrics', name]);
      if (++values > MAX_VALUES) throw ValidationError.at(POINTS, `at most ${MAX_VALUES} values`, 'too_many_values');
      rows.set(`${step} ${name}`, { name, step, value, timestamp: point.timestamp ?? now });
    }
  });
  // Sorted, so that the index is filled from left to right.
  const sorted = [...rows.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.step - b.step));
  return {
    names: sorted.map(({ name }) => name),
    steps: sorted.map(({ step }) => step),
    values: sorted.map(({ value }) => value),
    timestamps: sorted.map(({ timestamp }) => timestamp),
    lastStep: points.length > 0 ? last : null,
  };
}

/** Where each metric's values lie. */
export function stepsByMetric({ names, steps }: MetricColumns): MetricSteps[] {
  const metrics: MetricSteps[] = [];
  names.forEach((name, index) => {
    const step = steps[index]!;
    const metric = metrics.at(-1);
    if (metric?.name === name) Object.assign(metric, { lastStep: step, count: metric.count + 1 });
    else metrics.push({ name, firstStep: step, lastStep: step, count: 1 });
  });
  return metrics;
}

function checkMetric(name: string, value: number, loc: (string | number)[]): void {
  if (name.length === 0 || name.length > MAX_METRIC_NAME_LENGTH || UNPRINTABLE.test(name)) {
    const msg = `A metric's name has 1 to ${MAX_METRIC_NAME_LENGTH} printable characters`;
    throw ValidationError.at(loc, msg, 'metric_name');
  }
  if (!Number.isFinite(value)) throw ValidationError.at(loc, 'must be a finite number', 'finite_number');
}
