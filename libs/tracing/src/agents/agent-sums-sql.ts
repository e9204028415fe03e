import { QuerySql, searchableText } from '../query/query-sql.js';
import type { Statement } from '../query/statement.js';
import { isoTime } from '../query/time-literal.js';
import { DURATION, SPAN_SUMS, spansAndAbove } from './span-rows-sql.js';

export interface AgentSums {
  agent_name: string;
  agent_version?: string;
  invocation_count: number;
  span_count: number;
  total_input_tokens: number;
  total_output_tokens: number;
  total_duration_ms: number;
  error_count: number;
  first_seen: string;
  last_seen: string;
}

/** One row at least, without an agent where the page has none. */
export type AgentSumsRow = { total: number } & { [K in keyof AgentSums]: AgentSums[K] | null };

export interface AgentPage {
  agent?: string | null;
  byVersion: boolean;
  /** SQL of names of columns that are known. */
  order: string[];
  limit: number;
  offset: number;
}

/**
 * Agents, or versions of one, with what they did. A span is that of the agent that it names, else of the one above it:
 * model calls seldom say whose they are.
 */
export function agentSums(projectId: number, { agent, byVersion, order, limit, offset }: AgentPage): Statement {
  const sql = new QuerySql();
  const [key, version] = ['o.agent AS agent_name', byVersion ? ", COALESCE(o.version, '') AS agent_version" : ''];
  const text = `
    WITH RECURSIVE ${spansAndAbove(projectId, sql)}, owned (id, agent, version) AS (
      SELECT s.span_id, s.agent_name, s.agent_version FROM spans s WHERE s.agent_name IS NOT NULL
      UNION
      SELECT s.span_id, o.agent, o.version FROM owned o JOIN spans s ON s.parent_span_id = o.id
      WHERE s.agent_name IS NULL
    ), found AS MATERIALIZED (
      SELECT ${key} ${version}, ${SPAN_SUMS},
        COALESCE(sum(${DURATION}) FILTER (WHERE s.operation_name = 'invoke_agent'), 0) AS total_duration_ms
      FROM owned o JOIN spans s ON s.span_id = o.id LEFT JOIN above a ON a.id = s.span_id
      ${agent == null ? '' : `WHERE o.agent = ${sql.bind(searchableText(agent), 'text')}`}
      GROUP BY o.agent ${byVersion ? ", COALESCE(o.version, '')" : ''}
    )
    SELECT (SELECT count(*)::int FROM found) AS total, p.agent_name, ${byVersion ? 'p.agent_version,' : ''}
      p.invocation_count, p.span_count, p.total_input_tokens, p.total_output_tokens, p.total_duration_ms, p.error_count,
      ${isoTime('p.first_seen')} AS first_seen, ${isoTime('p.last_seen')} AS last_seen
    FROM (SELECT 1) AS one LEFT JOIN LATERAL (
      SELECT * FROM found f ORDER BY ${order.join(', ')}
      LIMIT ${sql.bind(limit, 'integer')} OFFSET ${sql.bind(offset, 'integer')}
    ) AS p ON true
    ORDER BY ${order.map((term) => term.replace('f.', 'p.')).join(', ')}`;
  return { text, values: sql.values };
}
