import type { CallQueryRequest } from '../calls/call-query-request.js';
import { payloadAt } from '../calls/payload-sql.js';
import { QuerySql, searchableText } from '../query/query-sql.js';
import type { PriceSpan } from '../costs/price-spans.js';
import { bucketOf, type StatsStatement, valuesOf, within } from './call-stats-query.js';
import type { UsageMetric } from './call-stats.schema.js';
import { metricColumns, type MetricRequest } from './metric-columns.js';
import { statedUsage, TOKEN_COLUMNS } from './stated-usage-sql.js';
import type { TimeBuckets } from './time-buckets.js';
import { usageScope } from './usage-scope.js';

const CACHED = '(n.cache_read_input_tokens + n.cache_creation_input_tokens)';
/** As `uncachedOf` works it out for one call. */
const UNCACHED = `(n.input_tokens - CASE WHEN ${CACHED} <= n.input_tokens THEN ${CACHED} ELSE 0 END)`;

const COSTS = {
  input_cost: `${UNCACHED} * p.prompt_token_cost`,
  output_cost: 'n.output_tokens * p.completion_token_cost',
  cache_cost:
    'n.cache_read_input_tokens * p.cache_read_input_token_cost + n.cache_creation_input_tokens * p.cache_creation_input_token_cost',
};

/** What a model without a price costs is unknown: null, never 0. */
const USAGE: Readonly<Record<UsageMetric, string>> = {
  input_tokens: 'n.input_tokens',
  output_tokens: 'n.output_tokens',
  total_tokens: 'n.total_tokens',
  cache_read_input_tokens: 'n.cache_read_input_tokens',
  cache_creation_input_tokens: 'n.cache_creation_input_tokens',
  input_cost: COSTS.input_cost,
  output_cost: COSTS.output_cost,
  total_cost: `${COSTS.input_cost} + ${COSTS.output_cost} + ${COSTS.cache_cost}`,
};

const sums = TOKEN_COLUMNS.map((name) => `sum(f.${name}) AS ${name}`).join(', ');

/** SQL: what a call states beyond its descendants, see `UsageScope`. */
const beyond = (name: (typeof TOKEN_COLUMNS)[number]): string => `CASE f.scope
  WHEN 'models' THEN greatest(0, f.${name} - COALESCE(same.${name}, 0))
  WHEN 'all' THEN greatest(0, f.${name} - COALESCE(every.${name}, 0))
  WHEN 'own' THEN CASE WHEN same.input_tokens = f.input_tokens AND same.output_tokens = f.output_tokens THEN 0 ELSE f.${name} END
  ELSE f.${name} END AS ${name}`;

/**
 * What calls that started in the buckets used, by bucket and model. Where usage is in that of a call above, too, and both
 * are found, it counts where it is stated lowest: see `UsageScope`. Steps between the two need not be found.
 */
export function selectUsageStats(
  projectId: number,
  request: CallQueryRequest,
  buckets: TimeBuckets,
  metrics: readonly MetricRequest<UsageMetric>[],
  prices: readonly PriceSpan[],
): StatsStatement {
  const sql = new QuerySql();
  const where = within(projectId, request, buckets, sql);
  const scope = usageScope(sql);
  const usage = payloadAt('summary', ['usage'], sql);
  const columns = metricColumns(metrics, (metric) => USAGE[metric], sql);
  const project = sql.bind(projectId, 'integer');
  const spans = sql.bind(
    JSON.stringify(prices.map((span) => ({ ...span, model: searchableText(span.model) }))),
    'json',
  );
  const text = `
    WITH RECURSIVE found AS MATERIALIZED (
      SELECT c.id, c.parent_id, c.started_at, ${scope} AS scope, u.model, t.*
      FROM calls c ${sql.joins()} ${statedUsage(usage)}
      WHERE ${where} AND json_typeof(u.usage) = 'object'
    ), users AS MATERIALIZED (
      SELECT id, min(parent_id) AS parent_id, min(scope) AS scope FROM found GROUP BY id
    ), above (id, ancestor) AS (
      SELECT id, parent_id FROM users
      WHERE parent_id IS NOT NULL AND EXISTS (SELECT FROM users WHERE scope <> 'added')
      UNION
      SELECT a.id, parent.parent_id FROM above a
      CROSS JOIN LATERAL (SELECT parent_id FROM calls WHERE project_id = ${project} AND id = a.ancestor OFFSET 0) parent
      WHERE parent.parent_id IS NOT NULL AND NOT EXISTS (SELECT FROM users u WHERE u.id = a.ancestor)
    ), below AS MATERIALIZED (
      SELECT a.ancestor AS id, f.model, ${sums}
      FROM above a JOIN users u ON u.id = a.ancestor AND u.id <> a.id JOIN found f ON f.id = a.id
      GROUP BY 1, 2
    ), every AS (
      SELECT f.id, ${sums} FROM below f GROUP BY 1
    ), net AS (
      SELECT f.model, f.started_at, every.id IS NOT NULL AS has_below, ${TOKEN_COLUMNS.map(beyond).join(', ')}
      FROM found f
      LEFT JOIN below same ON same.id = f.id AND same.model = f.model
      LEFT JOIN every ON every.id = f.id
    )
    SELECT ${bucketOf('n.started_at', buckets, sql)} AS bucket, n.model, count(*)::float8 AS count, ${valuesOf(columns)}
    FROM net n
    LEFT JOIN json_to_recordset(${spans}) AS p (model text, "from" timestamptz, until timestamptz,
        prompt_token_cost float8, completion_token_cost float8, cache_read_input_token_cost float8,
        cache_creation_input_token_cost float8)
      ON p.model = n.model AND (p."from" IS NULL OR n.started_at >= p."from")
        AND (p.until IS NULL OR n.started_at < p.until)
    WHERE NOT n.has_below OR greatest(${TOKEN_COLUMNS.map((name) => `n.${name}`).join(', ')}) > 0
    GROUP BY 1, 2`;
  return { text, values: sql.values, columns };
}
