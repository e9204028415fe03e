import type { CallQueryRequest } from '../calls/call-query-request.js';
import { QuerySql } from '../query/query-sql.js';
import type { Statement } from '../query/statement.js';
import { callConditions } from '../calls/call-query-statement.js';
import { isoTime } from '../query/time-literal.js';
import { VISIBLE_CALL } from '../store/call-record.js';
import { indexedText } from '../values/indexed-text.js';
import { type UsageScope, usageScope } from './usage-scope.js';

/** A call as far as its usage goes. Ids as stored. */
export interface UsageRow {
  id: string;
  parent_id: string | null;
  started_at: string;
  running: boolean;
  scope: UsageScope;
  summary: string | null;
  long_texts: Record<string, string> | null;
}

const columns = (sql: QuerySql): string => `
  c.id, c.parent_id, ${isoTime('c.started_at')} AS started_at, c.ended_at IS NULL AS running,
  ${usageScope(sql)} AS scope, c.summary, c.long_texts`;

/** The given calls and all below them, at most one more than the limit, so that too many can be told. */
export function selectTrees(projectId: number, callIds: readonly string[], limit: number): Statement {
  const sql = new QuerySql();
  const project = sql.bind(projectId, 'integer');
  const ids = sql.bind(callIds.map(indexedText), 'text[]');
  const selected = columns(sql);
  const text = `
    WITH RECURSIVE tree (id) AS (
      SELECT unnest(${ids}) COLLATE "C"
      UNION
      SELECT child.id FROM tree
      CROSS JOIN LATERAL (SELECT id FROM calls WHERE project_id = ${project} AND parent_id = tree.id OFFSET 0) child
    ), first AS MATERIALIZED (SELECT id FROM tree LIMIT ${sql.bind(limit + callIds.length + 1, 'bigint')})
    SELECT ${selected}
    FROM first
    CROSS JOIN LATERAL (SELECT * FROM calls WHERE project_id = ${project} AND id = first.id OFFSET 0) c ${sql.joins()}
    WHERE ${VISIBLE_CALL}
    LIMIT ${sql.bind(limit + 1, 'bigint')}`;
  return { text, values: sql.values };
}

/** The first calls that a request asks for, by start. */
export function selectUsage(projectId: number, request: CallQueryRequest): Statement {
  const sql = new QuerySql();
  const where = callConditions(projectId, request, sql);
  const selected = columns(sql);
  const text = `
    SELECT ${selected} FROM calls c ${sql.joins()} WHERE ${where}
    ORDER BY c.started_at, c.id LIMIT ${sql.bind(request.limit ?? null, 'bigint')}`;
  return { text, values: sql.values };
}
