import type { QuerySql } from '../query/query-sql.js';
import type { Aggregation } from './call-stats.schema.js';

export interface MetricRequest<M extends string> {
  metric: M;
  aggregations?: Aggregation[];
  percentiles?: number[];
}

/** One number of a bucket: its name in the answer, its SQL, and what it is in a bucket without calls. */
export interface MetricColumn {
  name: string;
  sql: string;
  empty: 0 | null;
}

const SQL: Readonly<Record<Aggregation, (value: string) => string>> = {
  sum: (value) => `COALESCE(sum(${value}), 0)::float8`,
  avg: (value) => `COALESCE(avg(${value}), 0)::float8`,
  min: (value) => `min(${value})::float8`,
  max: (value) => `max(${value})::float8`,
  count: (value) => `count(${value})::float8`,
  count_true: (value) => `(count(*) FILTER (WHERE ${value} = 1))::float8`,
  count_false: (value) => `(count(*) FILTER (WHERE ${value} = 0))::float8`,
};

/** A sum of costs of which none is known is not known either. */
const COST_SQL: Partial<typeof SQL> = {
  sum: (value) => `sum(${value})::float8`,
  avg: (value) => `avg(${value})::float8`,
};

/** What can be worked out from sums over many calls, and how. @param weight SQL of the number of calls in a row */
const SUMMED: Partial<Record<Aggregation, (value: string, weight: string) => string>> = {
  sum: SQL.sum,
  avg: (value, weight) =>
    `COALESCE(sum(${value})::numeric / NULLIF(sum(${weight}) FILTER (WHERE ${value} IS NOT NULL), 0), 0)::float8`,
  count: (value, weight) => `COALESCE(sum(${weight}) FILTER (WHERE ${value} IS NOT NULL), 0)::float8`,
};
const SUMMED_COST: typeof SUMMED = {
  sum: (value) => `sum(${value})::float8`,
  avg: (value, weight) => `(sum(${value}) / NULLIF(sum(${weight}) FILTER (WHERE ${value} IS NOT NULL), 0))::float8`,
};

/** Whether {@link metricColumns} can take them from sums: these have lost the least, the most and what lies between. */
export const areSummable = (requests: readonly MetricRequest<string>[]): boolean =>
  requests.every(
    ({ aggregations = [], percentiles = [] }) =>
      percentiles.length === 0 && aggregations.every((name) => name in SUMMED),
  );

const WITHOUT_ZERO: readonly Aggregation[] = ['min', 'max'];

/**
 * Every number that is asked for, each once.
 * @param valueOf SQL of a metric's value, null where a call has none
 * @param weightOf where a row may be of many calls and its value their sum: SQL of how many have one
 */
export function metricColumns<M extends string>(
  requests: readonly MetricRequest<M>[],
  valueOf: (metric: M) => string,
  sql: QuerySql,
  weightOf?: (metric: M) => string,
): MetricColumn[] {
  const columns = new Map<string, MetricColumn>();
  for (const { metric, aggregations = [], percentiles = [] } of requests) {
    const value = valueOf(metric);
    for (const aggregation of aggregations.length + percentiles.length > 0 ? aggregations : (['sum'] as const)) {
      const name = `${aggregation}_${metric}`;
      const isCost = metric.endsWith('_cost');
      const ofRows = (isCost ? COST_SQL[aggregation] : undefined) ?? SQL[aggregation];
      const ofSums = (isCost ? SUMMED_COST[aggregation] : undefined) ?? SUMMED[aggregation];
      const empty = WITHOUT_ZERO.includes(aggregation) ? null : 0;
      columns.set(name, { name, sql: weightOf && ofSums ? ofSums(value, weightOf(metric)) : ofRows(value), empty });
    }
    for (const percentile of percentiles) {
      const name = `p${percentile}_${metric}`;
      if (columns.has(name)) continue;
      const share = sql.bind(percentile / 100, 'float8');
      columns.set(name, {
        name,
        sql: `percentile_cont(${share}) WITHIN GROUP (ORDER BY ${value}::float8)`,
        empty: null,
      });
    }
  }
  return [...columns.values()];
}
