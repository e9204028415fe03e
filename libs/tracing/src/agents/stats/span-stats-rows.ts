import { isoMicros, type TimeBuckets } from '../../usage/time-buckets.js';
import { shownKey } from '../group-key.js';
import type { StatsPlan } from './span-stats-plan.js';
import type { RangeRow, TimeRow } from './span-stats-sql.js';

type Row = Record<string, unknown>;
type Values = (number | string | null)[] | null | undefined;

const head = (name: string, role: string, value_type: string): object => ({
  ...{ name, role, value_type, metric: null, aggregation: null },
});

export const timeHead = ({ keys }: StatsPlan): object[] => [
  head('timestamp', 'time', 'datetime'),
  ...keys.map(({ alias, type }) => head(alias, 'group', type)),
];

export const rangesHead = (): object[] =>
  ['bucket_index', 'bucket_min', 'bucket_max'].map((name) => head(name, 'bucket', 'number'));

/** A row for each bucket and group: what draws a line needs its zeros. @param found by group */
export function timeRows(
  plan: StatsPlan,
  { count, first, granularity }: TimeBuckets,
  found: readonly TimeRow[],
): Row[] {
  const groups = new Map<number, { keys: Row; buckets: Map<number, Values> }>();
  if (plan.keys.length === 0) groups.set(1, { keys: {}, buckets: new Map() });
  for (const row of found) {
    const group = groups.get(row.rank) ?? { keys: keysOf(plan, row), buckets: new Map<number, Values>() };
    group.buckets.set(row.bucket, row.values);
    groups.set(row.rank, group);
  }
  return Array.from({ length: count }, (_, bucket) => bucket).flatMap((bucket) => {
    const timestamp = isoMicros(first + BigInt(bucket) * BigInt(granularity) * 1_000_000n);
    return [...groups.values()].map(({ keys, buckets }): Row => ({
      timestamp,
      ...keys,
      ...valuesOf(plan, buckets.get(bucket)),
    }));
  });
}

/** A row for each range; a single one where all values are the same, none where there are no values. */
export function rangeRows(plan: StatsPlan, bins: number, found: readonly RangeRow[]): Row[] {
  const [low, high] = [found[0]?.low ?? null, found[0]?.high ?? null];
  if (low === null || high === null) return [];
  const count = high > low ? bins : 1;
  const width = (high - low) / count;
  const byBucket = new Map(found.map((row) => [row.bucket, row.values]));
  return Array.from({ length: count }, (_, bucket) => ({
    bucket_index: bucket,
    bucket_min: low + bucket * width,
    bucket_max: bucket === count - 1 ? high : low + (bucket + 1) * width,
    ...valuesOf(plan, byBucket.get(bucket)),
  }));
}

const valuesOf = ({ columns }: StatsPlan, values: Values): Row =>
  Object.fromEntries(columns.map(({ name, empty }, i) => [name, values?.[i] ?? empty]));

const keysOf = ({ keys }: StatsPlan, row: TimeRow): Row =>
  Object.fromEntries(
    keys.map(({ name, alias, column }) => {
      const value = row[name as `v${number}`];
      return [alias, column === undefined ? value : shownKey(value, column, row.long_texts)];
    }),
  );
