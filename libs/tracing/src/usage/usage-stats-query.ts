import type { CallQueryRequest } from '../calls/call-query-request.js';
import { payloadAt } from '../calls/payload-sql.js';
import { QuerySql } from '../query/query-sql.js';
import type { PriceSpan } from '../costs/price-spans.js';
import { bucketOf, type StatsStatement, valuesOf, within } from './call-stats-query.js';
import type { UsageMetric } from './call-stats.schema.js';
import { metricColumns, type MetricRequest } from './metric-columns.js';
import { statedUsage, TOKEN_COLUMNS } from './stated-usage-sql.js';
import type { TimeBuckets } from './time-buckets.js';
import { beyond, UNCACHED } from '../rollups/net-usage-sql.js';
import { costsJoin, USAGE } from './usage-costs-sql.js';
import { usageScope } from './usage-scope.js';

const sums = TOKEN_COLUMNS.map((name) => `sum(f.${name}) AS ${name}`).join(', ');

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
    ), beyond AS (
      SELECT f.model, f.started_at, every.id IS NOT NULL AS has_below, ${TOKEN_COLUMNS.map(beyond).join(', ')}
      FROM found f
      LEFT JOIN below same ON same.id = f.id AND same.model = f.model
      LEFT JOIN every ON every.id = f.id
    ), net AS (
      SELECT n.*, ${UNCACHED} AS uncached_input_tokens FROM beyond n
    )
    SELECT ${bucketOf('n.started_at', buckets, sql)} AS bucket, n.model, count(*)::float8 AS count, ${valuesOf(columns)}
    FROM net n
    ${costsJoin('n.started_at', prices, sql)}
    WHERE NOT n.has_below OR greatest(${TOKEN_COLUMNS.map((name) => `n.${name}`).join(', ')}) > 0
    GROUP BY 1, 2`;
  return { text, values: sql.values, columns };
}
