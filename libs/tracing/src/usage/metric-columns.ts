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

const WITHOUT_ZERO: readonly Aggregation[] = ['min', 'max'];

/** Every number that is asked for, each once. @param valueOf SQL of a metric's value, null where a call has none */
export function metricColumns<M extends string>(
  requests: readonly MetricRequest<M>[],
  valueOf: (metric: M) => string,
  sql: QuerySql,
): MetricColumn[] {
  const columns = new Map<string, MetricColumn>();
  for (const { metric, aggregations = [], percentiles = [] } of requests) {
    const value = valueOf(metric);
    for (const aggregation of aggregations.length + percentiles.length > 0 ? aggregations : (['sum'] as const)) {
      const name = `${aggregation}_${metric}`;
      const sqlOf = metric.endsWith('_cost') ? (COST_SQL[aggregation] ?? SQL[aggregation]) : SQL[aggregation];
      const empty = WITHOUT_ZERO.includes(aggregation) ? null : 0;
      columns.set(name, { name, sql: sqlOf(value), empty });
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
