import type { PriceSpan } from '../../costs/price-spans.js';
import type { QuerySql } from '../../query/query-sql.js';
import { UNCACHED } from '../../rollups/net-usage-sql.js';
import { statedUsage } from '../../usage/stated-usage-sql.js';
import type { TimeBuckets } from '../../usage/time-buckets.js';
import { COSTS, costsJoin } from '../../usage/usage-costs-sql.js';
import { spansAndAbove } from '../span-rows-sql.js';
import type { SpanValues } from './span-values.js';

/** How far from the time that is asked for a span may be that says whose, or how much, one within it is. */
const SLACK = `interval '1 hour'`;

export interface SpanSource {
  projectId: number;
  window: Pick<TimeBuckets, 'start' | 'end'>;
  values: SpanValues;
  /** SQL with names: what is read of each span. */
  selected: readonly string[];
  condition: string;
  prices: readonly PriceSpan[];
}

/**
 * SQL of parts of a WITH RECURSIVE: `found` has a row for each span that started in the window and meets the condition,
 * with what is selected, `started_at`, `long_texts` and `counted`: whether no span below it states its usage once more.
 */
export function spanSource(source: SpanSource, sql: QuerySql): string {
  const { identity, costs, attributes } = source.values.needs;
  const [start, end] = [source.window.start, source.window.end].map(
    (micros) => `('epoch'::timestamptz + ${sql.bind(micros.toString(), 'bigint')} * interval '1 microsecond')`,
  );
  const columns = [
    ...(attributes ? ['attributes', 'attributes_search'] : []),
    ...(costs ? ['summary', 'summary_search'] : []),
  ];
  const where = [`c.started_at >= ${start} - ${SLACK}`, `c.started_at < ${end} + ${SLACK}`];
  return `
    ${spansAndAbove(source.projectId, sql, { columns, where })}
    ${identity ? IDENTITIES : ''} ${costs ? spanCosts(source.prices, sql) : ''},
    found AS MATERIALIZED (
      SELECT s.started_at, s.long_texts, a.id IS NULL OR s.usage_scope = 'own' AS counted
        ${source.selected.map((column) => `, ${column}`).join('')}
      FROM spans s LEFT JOIN above a ON a.id = s.span_id
      ${identity ? 'LEFT JOIN owned o ON o.id = s.span_id LEFT JOIN conversations k ON k.trace_id = s.trace_id' : ''}
      ${costs ? 'LEFT JOIN costs p ON p.id = s.span_id' : ''} ${sql.joins()}
      WHERE s.started_at >= ${start} AND s.started_at < ${end} AND ${source.condition}
    )`;
}

/** Model calls and tools seldom say whose they are: that of the agent above them, and in their trace's conversation. */
const IDENTITIES = `
  , owned (id, agent_name, agent_version, agent_id) AS (
    SELECT s.span_id, s.agent_name, s.agent_version, s.agent_id FROM spans s WHERE s.agent_name IS NOT NULL
    UNION
    SELECT s.span_id, o.agent_name, o.agent_version, o.agent_id FROM owned o JOIN spans s ON s.parent_span_id = o.id
    WHERE s.agent_name IS NULL
  ), conversations AS MATERIALIZED (
    SELECT s.trace_id, (array_agg(s.conversation_id ORDER BY s.started_at, s.span_id))[1] AS conversation_id
    FROM spans s WHERE s.conversation_id IS NOT NULL GROUP BY s.trace_id
  )`;

/** What spans cost, of those whose models have a price. As the costs of spans/query, input is with what caches took. */
const spanCosts = (prices: readonly PriceSpan[], sql: QuerySql): string => `
  , costs AS MATERIALIZED (
    SELECT c.span_id AS id, cost.* FROM spans c CROSS JOIN LATERAL (
      SELECT sum(${COSTS.input_cost} + ${COSTS.cache_cost}) AS input_cost_usd, sum(${COSTS.output_cost}) AS output_cost_usd,
        sum(${COSTS.input_cost} + ${COSTS.cache_cost} + ${COSTS.output_cost}) AS total_cost_usd
      FROM (
        SELECT n.*, ${UNCACHED} AS uncached_input_tokens FROM (
          SELECT u.model, t.* FROM (
            SELECT json_typeof(v) AS type, v #>> '{}' AS text
            FROM (SELECT COALESCE(c.summary_search, c.summary)::json -> 'usage' AS v OFFSET 0) AS f
          ) AS b ${statedUsage('b')} WHERE json_typeof(u.usage) = 'object'
        ) AS n
      ) AS n ${costsJoin('c.started_at', prices, sql)}
    ) AS cost WHERE cost.total_cost_usd IS NOT NULL
  )`;
