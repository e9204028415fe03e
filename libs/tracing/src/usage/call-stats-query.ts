import type { CallQueryRequest } from '../calls/call-query-request.js';
import { computedSql } from '../calls/call-query-computed.js';
import { CallQuerySql, searchableText } from '../calls/call-query-sql.js';
import { callConditions, type Statement } from '../calls/call-query-statement.js';
import type { PriceSpan } from '../costs/price-spans.js';
import type { CallMetric, UsageMetric } from './call-stats.schema.js';
import { type MetricColumn, metricColumns, type MetricRequest } from './metric-columns.js';
import type { TimeBuckets } from './time-buckets.js';
import { rolledUp } from './usage-query.js';

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
  const sql = new CallQuerySql();
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

/** Members of a model's usage, read in one go: a look at each would parse it as often. */
const COUNTS = [
  'prompt_tokens',
  'input_tokens',
  'completion_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const;

/** SQL: the first that is a count of tokens, up to 10^10, or null: clients may send anything. */
const tokens = (...names: (typeof COUNTS)[number][]): string => {
  const counts = names.map((name) => {
    const text = `r.${name}::text`;
    return `CASE WHEN ${text} ~ '^[0-9]{1,10}([.][0-9]*)?$' THEN trunc(${text}::numeric) END`;
  });
  return `COALESCE(${counts.join(', ')})`;
};

const COSTS = {
  input_cost: 'f.input_tokens * p.prompt_token_cost',
  output_cost: 'f.output_tokens * p.completion_token_cost',
  cache_cost:
    'f.cache_read_input_tokens * p.cache_read_input_token_cost + f.cache_creation_input_tokens * p.cache_creation_input_token_cost',
};

const cost = (...parts: string[]): string => `COALESCE(${parts.join(' + ')}, 0)`;

const USAGE: Readonly<Record<UsageMetric, string>> = {
  input_tokens: 'f.input_tokens',
  output_tokens: 'f.output_tokens',
  total_tokens: 'f.total_tokens',
  cache_read_input_tokens: 'f.cache_read_input_tokens',
  cache_creation_input_tokens: 'f.cache_creation_input_tokens',
  input_cost: cost(COSTS.input_cost),
  output_cost: cost(COSTS.output_cost),
  total_cost: cost(COSTS.input_cost, COSTS.output_cost, COSTS.cache_cost),
};

/**
 * What calls that started in the buckets used, by bucket and model. Where an SDK summed up children's usage into their
 * parent's, and both are found, only the children's counts.
 */
export function selectUsageStats(
  projectId: number,
  request: CallQueryRequest,
  buckets: TimeBuckets,
  metrics: readonly MetricRequest<UsageMetric>[],
  prices: readonly PriceSpan[],
): StatsStatement {
  const sql = new CallQuerySql();
  const where = within(projectId, request, buckets, sql);
  const rolled = rolledUp(sql);
  const usage = sql.payload('summary', ['usage']);
  const columns = metricColumns(metrics, (metric) => USAGE[metric], sql);
  const spans = sql.bind(
    JSON.stringify(prices.map((span) => ({ ...span, model: searchableText(span.model) }))),
    'json',
  );
  const text = `
    WITH found AS MATERIALIZED (
      SELECT c.id, c.parent_id, c.started_at, ${rolled} AS rolled_up, u.model, t.*
      FROM calls c ${sql.joins()}
      CROSS JOIN LATERAL json_each(CASE WHEN ${usage}.type = 'object' THEN ${usage}.text::json END) AS u (model, usage)
      CROSS JOIN LATERAL json_to_record(CASE WHEN json_typeof(u.usage) = 'object' THEN u.usage END)
        AS r (${COUNTS.map((name) => `${name} json`).join(', ')})
      CROSS JOIN LATERAL (
        SELECT COALESCE(${tokens('prompt_tokens', 'input_tokens')}, 0) AS input_tokens,
          COALESCE(${tokens('completion_tokens', 'output_tokens')}, 0) AS output_tokens,
          ${tokens('total_tokens')} AS stated_total,
          COALESCE(${tokens('cache_read_input_tokens')}, 0) AS cache_read_input_tokens,
          COALESCE(${tokens('cache_creation_input_tokens')}, 0) AS cache_creation_input_tokens OFFSET 0
      ) AS s
      CROSS JOIN LATERAL (SELECT s.*, COALESCE(s.stated_total, s.input_tokens + s.output_tokens) AS total_tokens) AS t
      WHERE ${where} AND json_typeof(u.usage) = 'object'
    )
    SELECT ${bucketOf('f.started_at', buckets, sql)} AS bucket, f.model, count(*)::float8 AS count, ${valuesOf(columns)}
    FROM found f
    LEFT JOIN json_to_recordset(${spans}) AS p (model text, "from" timestamptz, until timestamptz,
        prompt_token_cost float8, completion_token_cost float8, cache_read_input_token_cost float8,
        cache_creation_input_token_cost float8)
      ON p.model = f.model AND (p."from" IS NULL OR f.started_at >= p."from")
        AND (p.until IS NULL OR f.started_at < p.until)
    LEFT JOIN (SELECT DISTINCT parent_id, model FROM found) AS summed
      ON f.rolled_up AND summed.parent_id = f.id AND summed.model = f.model
    WHERE summed.parent_id IS NULL
    GROUP BY 1, 2`;
  return { text, values: sql.values, columns };
}

const valuesOf = (columns: readonly MetricColumn[]): string =>
  `json_build_array(${columns.map((column) => column.sql).join(', ')}) AS values`;

function within(projectId: number, request: CallQueryRequest, { start, end }: TimeBuckets, sql: CallQuerySql): string {
  const at = (micros: bigint): string =>
    `('epoch'::timestamptz + ${sql.bind(micros.toString(), 'bigint')} * interval '1 microsecond')`;
  return `${callConditions(projectId, request, sql)} AND c.started_at >= ${at(start)} AND c.started_at < ${at(end)}`;
}

function bucketOf(time: string, { first, granularity }: TimeBuckets, sql: CallQuerySql): string {
  const micros = `(extract(epoch FROM ${time}) * 1000000 - ${sql.bind(first.toString(), 'numeric')})`;
  return `floor(${micros} / ${sql.bind(granularity * 1e6, 'numeric')})::int`;
}
