import type { PriceSpan } from '../costs/price-spans.js';
import { QuerySql } from '../query/query-sql.js';
import { NET_COLUMNS, netUsage } from '../rollups/net-usage-sql.js';
import { VISIBLE_CALL } from '../store/call-record.js';
import { bucketOf, type StatsStatement, valuesOf } from './call-stats-query.js';
import type { CallMetric, UsageMetric } from './call-stats.schema.js';
import { metricColumns, type MetricRequest } from './metric-columns.js';
import { costsJoin, USAGE } from './usage-costs-sql.js';
import type { SummedParts } from './summed-parts.js';
import type { TimeBuckets } from './time-buckets.js';

const LATENCY = 'trunc(extract(epoch FROM c.ended_at - c.started_at) * 1000)';

const CALL_VALUES = { latency_ms: 'n.latency_ms', call_count: 'n.calls', error_count: 'n.errors' };
const CALL_WEIGHTS = { latency_ms: 'n.ended', call_count: 'n.calls', error_count: 'n.calls' };

/** Of all calls of a project: from their sums by minute, and calls themselves where a minute isn't asked for as a whole. */
export function selectProjectCallStats(
  projectId: number,
  buckets: TimeBuckets,
  metrics: readonly MetricRequest<CallMetric>[],
  parts: SummedParts,
): StatsStatement {
  const sql = new QuerySql();
  const project = sql.bind(projectId, 'integer');
  const columns = metricColumns(
    metrics,
    (metric) => CALL_VALUES[metric],
    sql,
    (metric) => CALL_WEIGHTS[metric],
  );
  const text = `
    SELECT ${bucketOf('n.at', buckets, sql)} AS bucket, sum(n.calls)::float8 AS count, ${valuesOf(columns)}
    FROM (
      SELECT minute AS at, calls, ended, errors, CASE WHEN ended > 0 THEN latency_ms END AS latency_ms
      FROM call_minutes WHERE project_id = ${project} AND ${wholeMinutes(parts, sql)}
      UNION ALL
      SELECT c.started_at, 1, (c.ended_at IS NOT NULL)::int, (c.exception IS NOT NULL AND c.exception <> '')::int, ${LATENCY}
      FROM ${spansOf(parts, sql)}
      CROSS JOIN LATERAL (
        SELECT * FROM calls c WHERE c.project_id = ${project} AND c.started_at >= span.since AND c.started_at < span.until
          AND ${VISIBLE_CALL} OFFSET 0
      ) c
    ) AS n
    GROUP BY 1`;
  return { text, values: sql.values, columns };
}

/**
 * What all calls of a project used, by bucket and model: each call counts with what it used beyond what calls below it
 * state, whenever those started.
 */
export function selectProjectUsage(
  projectId: number,
  buckets: TimeBuckets,
  metrics: readonly MetricRequest<UsageMetric>[],
  prices: readonly PriceSpan[],
  parts: SummedParts,
): StatsStatement {
  const sql = new QuerySql();
  const project = sql.bind(projectId, 'integer');
  const weight = parts.minutes ? () => 'n.calls' : undefined;
  const columns = metricColumns(metrics, (metric) => USAGE[metric], sql, weight);
  const text = `
    WITH RECURSIVE ${netUsage(project, spansOf(parts, sql), sql)}
    SELECT ${bucketOf('n.at', buckets, sql)} AS bucket, n.model, sum(n.calls)::float8 AS count, ${valuesOf(columns)}
    FROM (
      SELECT minute AS at, model, calls, ${NET_COLUMNS.join(', ')}
      FROM call_usage_minutes WHERE project_id = ${project} AND ${wholeMinutes(parts, sql)}
      UNION ALL
      SELECT started_at, model, 1, ${NET_COLUMNS.join(', ')} FROM net
    ) AS n
    ${costsJoin('n.at', prices, sql)}
    GROUP BY 1, 2`;
  return { text, values: sql.values, columns };
}

const at = (micros: bigint, sql: QuerySql): string =>
  `('epoch'::timestamptz + ${sql.bind(micros.toString(), 'bigint')} * interval '1 microsecond')`;

/** SQL over a table of sums: the minutes that are read from it. */
function wholeMinutes({ minutes, without }: SummedParts, sql: QuerySql): string {
  if (!minutes) return 'false';
  const apart = sql.bind(without.map(String), 'bigint[]');
  return `minute >= ${at(minutes[0], sql)} AND minute < ${at(minutes[1], sql)}
    AND (extract(epoch FROM minute) * 1000000)::bigint <> ALL(${apart})`;
}

/** SQL: rows `span (since, until)` of the times that are read call by call. */
function spansOf({ live }: SummedParts, sql: QuerySql): string {
  const [since, until] = [0, 1].map((i) =>
    sql.bind(
      live.map((span) => span[i]!.toString()),
      'bigint[]',
    ),
  );
  const time = (name: string): string => `'epoch'::timestamptz + ${name} * interval '1 microsecond' AS ${name}`;
  return `(SELECT ${time('since')}, ${time('until')} FROM unnest(${since}, ${until}) AS r (since, until)) AS span`;
}
