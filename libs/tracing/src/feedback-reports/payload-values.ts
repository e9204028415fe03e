import { indexJsonSync, type JsonNode } from '@heddle/json';
import { splitPath } from '../query/field-path.js';
import type { FeedbackMetric } from './feedback-reports.schema.js';

type Aggregation = NonNullable<FeedbackMetric['aggregations']>[number];

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
const least = (values: number[]): number => values.reduce((a, b) => Math.min(a, b));
const most = (values: number[]): number => values.reduce((a, b) => Math.max(a, b));

/** Numbers; true is 1 and false 0. Of no values there is no average. */
const AGGREGATES: Readonly<Record<Aggregation, (values: number[]) => number | null>> = {
  sum,
  avg: (values) => (values.length > 0 ? sum(values) / values.length : null),
  min: (values) => (values.length > 0 ? least(values) : null),
  max: (values) => (values.length > 0 ? most(values) : null),
  count: (values) => values.length,
  count_true: (values) => values.filter((value) => value === 1).length,
  count_false: (values) => values.filter((value) => value === 0).length,
};

const DEFAULTS: Readonly<Record<NonNullable<FeedbackMetric['value_type']>, Aggregation[]>> = {
  numeric: ['avg', 'min', 'max'],
  boolean: ['count_true', 'count_false'],
  categorical: ['count'],
};

/** `output.score` is `output_score` in names of numbers. */
export const slugOf = ({ json_path: path }: FeedbackMetric): string => path.replaceAll('.', '_');

/** The numbers that a metric asks for, by the beginning of their names: `avg`, `p95`. */
export function numbersOf(metric: FeedbackMetric, values: number[]): [name: string, value: number | null][] {
  const { percentiles = [], value_type: type = 'numeric' } = metric;
  const asked = metric.aggregations?.length ? metric.aggregations : percentiles.length > 0 ? [] : DEFAULTS[type];
  const sorted = percentiles.length > 0 && type === 'numeric' ? values.toSorted((a, b) => a - b) : [];
  return [
    ...asked.map((name): [string, number | null] => [name, AGGREGATES[name](values)]),
    ...(type === 'numeric'
      ? percentiles.map((p): [string, number | null] => [`p${p}`, quantile(sorted, p / 100)])
      : []),
  ];
}

function quantile(sorted: number[], level: number): number | null {
  if (sorted.length === 0) return null;
  const place = level * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return below + (place - Math.floor(place)) * (above - below);
}

/** What stands at a metric's place, as a number; undefined for what is of another type. */
export function valueOf(
  payload: string,
  { json_path: path, value_type: type = 'numeric' }: FeedbackMetric,
): number | undefined {
  let node: JsonNode | undefined = indexJsonSync(Buffer.from(payload));
  for (const key of splitPath(path)) node = node?.get(key);
  if (!node || node.kind === 'null') return undefined;
  if (type === 'categorical') return 1;
  if (type === 'boolean') return node.kind === 'boolean' ? Number(node.boolean()) : undefined;
  const value = node.number();
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

/** Leaves of payloads and the types of their values, by path. */
export class PayloadPaths {
  private readonly kinds = new Map<string, Set<string>>();

  add(payload: string): void {
    this.walk(indexJsonSync(Buffer.from(payload)), []);
  }

  get paths(): { json_path: string; value_type: string }[] {
    return [...this.kinds]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([json_path, kinds]) => ({ json_path, value_type: typeOf(kinds) }));
  }

  /** Lists aren't looked into: their places have no names. */
  private walk(node: JsonNode, path: string[]): void {
    if (node.kind === 'array' || path.length > 20) return;
    if (node.kind !== 'object') {
      const key = path.join('.');
      if (path.length > 0) this.kinds.set(key, (this.kinds.get(key) ?? new Set()).add(node.kind));
      return;
    }
    for (const [name, value] of node.entries()) if (/^[\w-]+$/.test(name)) this.walk(value, [...path, name]);
  }
}

function typeOf(kinds: ReadonlySet<string>): string {
  const known = [...kinds].filter((kind) => kind !== 'null');
  if (known.length > 0 && known.every((kind) => kind === 'boolean')) return 'boolean';
  return known.every((kind) => kind === 'number') ? 'numeric' : 'categorical';
}
