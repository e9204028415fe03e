import type { QuerySql } from '../query/query-sql.js';
import { VISIBLE_CALL } from '../store/call-record.js';
import { statedUsage } from '../usage/stated-usage-sql.js';

/** Attributes under `gen_ai` that become columns, by the names of their groups. */
const GROUPS = ['agent', 'request', 'response', 'conversation', 'tool', 'usage'] as const;

/** SQL: whether `calls c` is a span. */
export const IS_SPAN = `(c.otel_dump IS NOT NULL OR c.attributes LIKE '%"gen_ai%')`;

const record = (json: string, alias: string, columns: string): string =>
  `CROSS JOIN LATERAL json_to_record(CASE WHEN json_typeof(${json}) = 'object' THEN ${json} END) AS ${alias} (${columns})`;

/**
 * SQL of a subquery `s`: a row for each span of a project, which is a call that came over OTLP, or whose attributes follow
 * the GenAI conventions. Ids and names as `calls` stores them, what comes out of attributes as JSON's text.
 * @param columns further ones of `calls c` @param where conditions on it, which may use its indexes
 */
export const spanRows = (
  projectId: number,
  sql: QuerySql,
  { columns = [], where = [] }: { columns?: readonly string[]; where?: readonly string[] } = {},
): string => `(
  SELECT c.id AS span_id, c.trace_id, c.parent_id AS parent_span_id, c.op_name AS span_name, c.started_at, c.ended_at,
    c.exception AS status_message, c.thread_id AS conversation_id, c.wb_user_id, c.wb_run_id, c.long_texts,
    CASE WHEN COALESCE(c.exception, '') <> '' THEN 'ERROR' WHEN c.ended_at IS NULL THEN 'UNSET' ELSE 'OK' END AS status_code,
    COALESCE(r.operation, g.operation #>> '{name}') AS operation_name,
    COALESCE(r.provider, g.provider #>> '{name}', g.system) AS provider_name,
    COALESCE(r.agent, agent.name) AS agent_name, agent.id AS agent_id, agent.version AS agent_version,
    agent.description AS agent_description, COALESCE(request.model, r.model) AS request_model,
    response.model AS response_model, response.id AS response_id, conversation.name AS conversation_name,
    COALESCE(r.tool, tool.name) AS tool_name, tool.type AS tool_type, tool.call ->> 'id' AS tool_call_id,
    r.error #>> '{type}' AS error_type, r.usage_scope, t.*, reasoning.tokens AS reasoning_tokens
    ${columns.map((column) => `, c.${column}`).join('')}
  FROM calls c
  CROSS JOIN LATERAL (SELECT COALESCE(c.attributes_search, c.attributes)::json AS j OFFSET 0) AS a
  ${record('a.j', 'r', 'gen_ai json, operation text, provider text, agent text, model text, tool text, error json, usage_scope text')}
  ${record('r.gen_ai', 'g', `${GROUPS.map((name) => `${name} json`).join(', ')}, operation json, provider json, system text`)}
  ${record('g.agent', 'agent', 'name text, id text, version text, description text')}
  ${record('g.request', 'request', 'model text')}
  ${record('g.response', 'response', 'model text, id text')}
  ${record('g.conversation', 'conversation', 'name text')}
  ${record('g.tool', 'tool', 'name text, type text, call json')}
  CROSS JOIN LATERAL (
    SELECT COALESCE(sum(t.input_tokens), 0)::float8 AS input_tokens, COALESCE(sum(t.output_tokens), 0)::float8 AS output_tokens,
      COALESCE(sum(t.cache_read_input_tokens), 0)::float8 AS cache_read_input_tokens,
      COALESCE(sum(t.cache_creation_input_tokens), 0)::float8 AS cache_creation_input_tokens
    FROM (
      SELECT json_typeof(v) AS type, v #>> '{}' AS text
      FROM (SELECT COALESCE(c.summary_search, c.summary)::json -> 'usage' AS v OFFSET 0) AS f
    ) AS b ${statedUsage('b')}
  ) AS t
  CROSS JOIN LATERAL (
    SELECT COALESCE(sum(CASE WHEN n ~ '^[0-9]{1,10}$' THEN n::float8 END), 0) AS tokens FROM (
      SELECT COALESCE(u.value #>> '{completion_tokens_details,reasoning_tokens}',
        u.value #>> '{output_tokens_details,reasoning_tokens}', u.value #>> '{reasoning_tokens}') AS n
      FROM json_each(CASE WHEN json_typeof(COALESCE(c.summary_search, c.summary)::json -> 'usage') = 'object'
        THEN COALESCE(c.summary_search, c.summary)::json -> 'usage' END) AS u
    ) AS stated
  ) AS reasoning
  WHERE c.project_id = ${sql.bind(projectId, 'integer')} AND ${VISIBLE_CALL}
    AND ${IS_SPAN} ${where.map((condition) => `AND ${condition}`).join(' ')}
  OFFSET 0
)`;

/** SQL of parts of a WITH RECURSIVE: `spans`, and `above`, the ids of those that have a usage stated below them. */
export const spansAndAbove = (projectId: number, sql: QuerySql, of: Parameters<typeof spanRows>[2] = {}): string => `
  spans AS MATERIALIZED (SELECT s.* FROM ${spanRows(projectId, sql, of)} s),
  above (id) AS (
    SELECT s.parent_span_id FROM spans s WHERE s.input_tokens + s.output_tokens > 0 AND s.parent_span_id IS NOT NULL
    UNION
    SELECT s.parent_span_id FROM above a JOIN spans s ON s.span_id = a.id WHERE s.parent_span_id IS NOT NULL
  )`;

/** SQL: the sum over `spans s`, left-joined with `above a`, that counts every token once. */
export const summedOnce = (column: string): string =>
  `COALESCE(sum(CASE WHEN a.id IS NULL OR s.usage_scope = 'own' THEN s.${column} END), 0)::float8`;

/** SQL of aggregates over `spans s`, for each agent and each group alike. */
export const SPAN_SUMS = `
  count(*)::int AS span_count, count(*) FILTER (WHERE s.operation_name = 'invoke_agent')::int AS invocation_count,
  count(*) FILTER (WHERE s.status_code = 'ERROR')::int AS error_count,
  min(s.started_at) AS first_seen, max(COALESCE(s.ended_at, s.started_at)) AS last_seen,
  ${summedOnce('input_tokens')} AS total_input_tokens, ${summedOnce('output_tokens')} AS total_output_tokens`;

/** SQL: how long `spans s` took, in milliseconds. */
export const DURATION = `round(extract(epoch FROM s.ended_at - s.started_at) * 1000)::float8`;
