import type { MetricSteps } from '@heddle/events';
import { ValidationError } from '@heddle/http';
import { nextTurn } from '@heddle/json';
import type { MetricColumns, MetricPoint } from './metric-point.js';

export const MAX_METRIC_NAME_LENGTH = 256;
/** Values of one batch. */
export const MAX_VALUES = 100_000;
/** Some milliseconds of work. */
export const VALUES_PER_TURN = 5000;

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
const POINTS = ['body', 'points'];

interface Value {
  value: number;
  timestamp: Date;
}

/**
 * Gives steps to the points that have none. Of two values of a metric at one step the later stays, as it would if they
 * came in two batches. Others have their turn after every few thousand values.
 * @param lastStep the run's greatest step so far
 * @throws ValidationError that names the point and the metric
 */
export async function toMetricColumns(
  points: readonly MetricPoint[],
  lastStep: number | null,
  now: Date,
): Promise<MetricColumns> {
  const byName = new Map<string, Map<number, Value>>();
  let last = lastStep ?? -1;
  let values = 0;
  for (const [index, point] of points.entries()) {
    const step = point.step ?? last + 1;
    if (!Number.isSafeInteger(step)) throw ValidationError.at([...POINTS, index, 'step'], 'is too great', 'step');
    last = Math.max(last, step);
    for (const [name, value] of Object.entries(point.metrics)) {
      checkName(name, [...POINTS, index, 'metrics', name]);
      if (++values > MAX_VALUES) throw ValidationError.at(POINTS, `at most ${MAX_VALUES} values`, 'too_many_values');
      let ofName = byName.get(name);
      if (!ofName) byName.set(name, (ofName = new Map()));
      ofName.set(step, { value, timestamp: point.timestamp ?? now });
      if (values % VALUES_PER_TURN === 0) await nextTurn();
    }
  }
  return { ...(await inOrder(byName)), lastStep: points.length > 0 ? last : null };
}

/** By name and step, so that the index is filled from left to right. */
async function inOrder(byName: Map<string, Map<number, Value>>): Promise<Omit<MetricColumns, 'lastStep'>> {
  const columns = { names: [] as string[], steps: [] as number[], values: [] as number[], timestamps: [] as Date[] };
  for (const name of [...byName.keys()].sort()) {
    const rows = [...byName.get(name)!].sort(([a], [b]) => a - b);
    for (const [step, { value, timestamp }] of rows) {
      columns.names.push(name);
      columns.steps.push(step);
      columns.values.push(value);
      columns.timestamps.push(timestamp);
      if (columns.names.length % VALUES_PER_TURN === 0) await nextTurn();
    }
  }
  return columns;
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

function checkName(name: string, loc: (string | number)[]): void {
  if (name.length === 0 || name.length > MAX_METRIC_NAME_LENGTH || UNPRINTABLE.test(name)) {
    const msg = `A metric's name has 1 to ${MAX_METRIC_NAME_LENGTH} printable characters`;
    throw ValidationError.at(loc, msg, 'metric_name');
  }
}
