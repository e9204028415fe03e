import type { CallQueryRequest } from '../calls/call-query-request.js';
import { computedSql } from '../calls/computed-fields.js';
import { QuerySql } from '../query/query-sql.js';
import type { Statement } from '../query/statement.js';
import { callConditions } from '../calls/call-query-statement.js';
import type { CallMetric } from './call-stats.schema.js';
import { type MetricColumn, metricColumns, type MetricRequest } from './metric-columns.js';
import type { TimeBuckets } from './time-buckets.js';

/** A statement whose rows have the number of their `bucket`, a `count`, and `values` in the order of the columns. */
export interface StatsStatement extends Statement {
  columns: MetricColumn[];
}

/** Of calls that started in the buckets, by bucket. */
export function selectCallStats(
  projectId: number,
  request: CallQueryRequest,
  buckets: TimeBuckets,
  metrics: readonly MetricRequest<CallMetric>[],
): StatsStatement {
  const sql = new QuerySql();
  const value = (metric: CallMetric): string => {
    if (metric === 'latency_ms') return computedSql('latency_ms', sql);
    return metric === 'call_count' ? '1' : `(c.exception IS NOT NULL AND c.exception <> '')::int`;
  };
  const columns = metricColumns(metrics, value, sql);
  const [where, bucket] = [within(projectId, request, buckets, sql), bucketOf('c.started_at', buckets, sql)];
  const text = `
    SELECT ${bucket} AS bucket, count(*)::float8 AS count, ${valuesOf(columns)}
    FROM calls c ${sql.joins()} WHERE ${where} GROUP BY 1`;
  return { text, values: sql.values, columns };
}

export const valuesOf = (columns: readonly MetricColumn[]): string =>
  `json_build_array(${columns.map((column) => column.sql).join(', ')}) AS values`;

/** SQL: what a request asks for of the time that the buckets span. */
export function within(
  projectId: number,
  request: CallQueryRequest,
  { start, end }: TimeBuckets,
  sql: QuerySql,
): string {
  const at = (micros: bigint): string =>
    `('epoch'::timestamptz + ${sql.bind(micros.toString(), 'bigint')} * interval '1 microsecond')`;
  return `${callConditions(projectId, request, sql)} AND c.started_at >= ${at(start)} AND c.started_at < ${at(end)}`;
}

/** SQL: the number of the bucket that a time is in. */
export function bucketOf(time: string, { first, granularity }: TimeBuckets, sql: QuerySql): string {
  const micros = `(extract(epoch FROM ${time}) * 1000000 - ${sql.bind(first.toString(), 'numeric')})`;
  return `floor(${micros} / ${sql.bind(granularity * 1e6, 'numeric')})::int`;
}
