import { type JsonNode } from '@heddle/json';
import { conditionOf } from '../query/expression.js';
import { QuerySql } from '../query/query-sql.js';
import type { Statement } from '../query/statement.js';
import { isoTime } from '../query/time-literal.js';
import { spanField } from './span-fields.js';
import { DURATION, SPAN_SUMS, spansAndAbove, summedOnce } from './span-rows-sql.js';

export const GROUP_SUMS = [
  ...['span_count', 'invocation_count', 'error_count', 'first_seen', 'last_seen', 'conversation_count'],
  ...['total_input_tokens', 'total_output_tokens', 'total_reasoning_tokens', 'total_cache_read_input_tokens'],
  ...['total_cache_creation_input_tokens', 'total_duration_ms'],
] as const;
const NAMES = ['agent_name', 'agent_version', 'provider_name', 'request_model', 'conversation_name'] as const;

export interface GroupPage {
  /** Columns of spans. */
  columns: string[];
  /** SQL over the aliases `key_0`, `key_1`, ... and the sums. */
  order: string[];
  limit: number;
  offset: number;
}

/** Spans that meet a body's `query`, summed up by columns. Keys are `key_0`, `key_1`, ... */
export function spanGroups(
  projectId: number,
  body: JsonNode,
  where: (sql: QuerySql) => string[],
  page: GroupPage,
): Statement {
  const sql = new QuerySql();
  const spans = spansAndAbove(projectId, sql);
  const conditions = [...where(sql), conditionOf(body, sql, spanField) ?? 'true'];
  const keys = page.columns.map((column, i) => `s.${column} AS key_${i}`);
  const text = `
    WITH RECURSIVE ${spans}, found AS MATERIALIZED (
      SELECT ${keys.join(', ')}, ${SPAN_SUMS}, COALESCE(sum(${DURATION}), 0) AS total_duration_ms,
        count(DISTINCT s.conversation_id)::int AS conversation_count,
        ${summedOnce('reasoning_tokens')} AS total_reasoning_tokens,
        ${summedOnce('cache_read_input_tokens')} AS total_cache_read_input_tokens,
        ${summedOnce('cache_creation_input_tokens')} AS total_cache_creation_input_tokens,
        ${NAMES.map((name) => `array_agg(DISTINCT s.${name}) FILTER (WHERE s.${name} IS NOT NULL) AS ${name}s`).join(', ')},
        (array_agg(s.long_texts) FILTER (WHERE s.long_texts IS NOT NULL))[1] AS long_texts
      FROM spans s LEFT JOIN above a ON a.id = s.span_id ${sql.joins()}
      WHERE ${conditions.join(' AND ')}
      GROUP BY ${page.columns.map((column) => `s.${column}`).join(', ')}
    )
    SELECT (SELECT count(*)::int FROM found) AS total, p.*, ${isoTime('p.first_seen')} AS first, ${isoTime('p.last_seen')} AS last
    FROM (SELECT 1) AS one LEFT JOIN LATERAL (
      SELECT * FROM found f ORDER BY ${page.order.map((term) => `f.${term}`).join(', ')}
      LIMIT ${sql.bind(page.limit, 'integer')} OFFSET ${sql.bind(page.offset, 'integer')}
    ) AS p ON true
    ORDER BY ${page.order.map((term) => `p.${term}`).join(', ')}`;
  return { text, values: sql.values };
}
