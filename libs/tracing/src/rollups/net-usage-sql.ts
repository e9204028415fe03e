import type { QuerySql } from '../query/query-sql.js';
import { VISIBLE_CALL } from '../store/call-record.js';
import { payloadAt } from '../calls/payload-sql.js';
import { statedUsage, TOKEN_COLUMNS } from '../usage/stated-usage-sql.js';
import { usageScope } from '../usage/usage-scope.js';

const CACHED = '(n.cache_read_input_tokens + n.cache_creation_input_tokens)';
/** As `uncachedOf` works it out for one call. */
export const UNCACHED = `(n.input_tokens - CASE WHEN ${CACHED} <= n.input_tokens THEN ${CACHED} ELSE 0 END)`;

/** Columns of {@link netUsage} beside `started_at` and `model`: numbers, never null. */
export const NET_COLUMNS = [...TOKEN_COLUMNS, 'uncached_input_tokens'] as const;

const sums = TOKEN_COLUMNS.map((name) => `sum(f.${name}) AS ${name}`).join(', ');

/** SQL: what a call states beyond its descendants, see `UsageScope`. */
export const beyond = (name: (typeof TOKEN_COLUMNS)[number]): string => `CASE f.scope
  WHEN 'models' THEN greatest(0, f.${name} - COALESCE(same.${name}, 0))
  WHEN 'all' THEN greatest(0, f.${name} - COALESCE(every.${name}, 0))
  WHEN 'own' THEN CASE WHEN same.input_tokens = f.input_tokens AND same.output_tokens = f.output_tokens THEN 0 ELSE f.${name} END
  ELSE f.${name} END AS ${name}`;

/** SQL: whether `calls c` states a usage that counts. Most are told from their text alone. */
const STATES = `(${VISIBLE_CALL} AND c.summary LIKE '%"usage"%' AND EXISTS (
  SELECT FROM json_each(CASE WHEN json_typeof(COALESCE(c.summary_search, c.summary)::json -> 'usage') = 'object'
    THEN COALESCE(c.summary_search, c.summary)::json -> 'usage' END) AS e WHERE json_typeof(e.value) = 'object'))`;

/**
 * SQL of the parts of a WITH RECURSIVE: `net` has a row for each call that started in the spans, and each model: what it
 * used beyond what calls below it state, whenever those started. So sums over neighbouring times add up.
 * @param spans SQL of rows `span (since, until)`, which don't overlap
 */
export function netUsage(projectId: string, spans: string, sql: QuerySql): string {
  const scope = usageScope(sql);
  const usage = payloadAt('summary', ['usage'], sql);
  const childrenOf = (parent: string): string => `(
    SELECT c.id, ${STATES} AS states FROM calls c WHERE c.project_id = ${projectId} AND c.parent_id = ${parent} OFFSET 0)`;
  return `
    found AS MATERIALIZED (
      SELECT c.id, c.started_at, ${scope} AS scope, u.model, t.*
      FROM ${spans}
      CROSS JOIN LATERAL (
        SELECT * FROM calls c WHERE c.project_id = ${projectId} AND c.started_at >= span.since AND c.started_at < span.until
          AND ${VISIBLE_CALL} AND c.summary LIKE '%"usage"%' OFFSET 0
      ) c ${sql.joins()} ${statedUsage(usage)}
      WHERE json_typeof(u.usage) = 'object'
    ), users AS MATERIALIZED (
      SELECT DISTINCT id FROM found f WHERE scope <> 'added' OR greatest(${TOKEN_COLUMNS.map((name) => `f.${name}`).join(', ')}) = 0
    ), walk (ancestor, id, states) AS (
      SELECT u.id, child.id, child.states FROM users u CROSS JOIN LATERAL ${childrenOf('u.id')} child
      UNION
      SELECT w.ancestor, child.id, child.states FROM walk w CROSS JOIN LATERAL ${childrenOf('w.id')} child WHERE NOT w.states
    ), stated AS (
      SELECT DISTINCT ancestor, id FROM walk WHERE states AND id <> ancestor
    ), below AS MATERIALIZED (
      SELECT f.ancestor AS id, f.model, ${sums} FROM (
        SELECT st.ancestor, u.model, t.* FROM stated st
        CROSS JOIN LATERAL (SELECT * FROM calls WHERE project_id = ${projectId} AND id = st.id OFFSET 0) c
        CROSS JOIN LATERAL (
          SELECT json_typeof(v) AS type, v #>> '{}' AS text
          FROM (SELECT COALESCE(c.summary_search, c.summary)::json -> 'usage' AS v OFFSET 0) AS f
        ) AS b ${statedUsage('b')}
        WHERE json_typeof(u.usage) = 'object'
      ) AS f GROUP BY 1, 2
    ), every AS (
      SELECT f.id, ${sums} FROM below f GROUP BY 1
    ), net AS (
      SELECT n.*, ${UNCACHED} AS uncached_input_tokens FROM (
        SELECT f.model, f.started_at, every.id IS NOT NULL AS has_below, ${TOKEN_COLUMNS.map(beyond).join(', ')}
        FROM found f
        LEFT JOIN below same ON same.id = f.id AND same.model = f.model
        LEFT JOIN every ON every.id = f.id
      ) AS n
      WHERE NOT n.has_below OR greatest(${TOKEN_COLUMNS.map((name) => `n.${name}`).join(', ')}) > 0
    )`;
}
