import { QuerySql } from '../query/query-sql.js';
import type { Statement } from '../query/statement.js';
import { isoTime, timeLiteral } from '../query/time-literal.js';
import { VISIBLE_CALL } from '../store/call-record.js';
import { indexedText } from '../values/indexed-text.js';
import type { QueryThreads, ThreadFilter } from './threads.schema.js';

/** A conversation: the calls that are turns of one thread, summed up. Ids as stored; times as ISO 8601. */
export interface ThreadRow {
  thread_id: string;
  turn_count: number;
  start_time: string;
  last_updated: string;
  first_turn_id: string;
  last_turn_id: string;
  p50_turn_duration_ms: number | null;
  p99_turn_duration_ms: number | null;
  long_texts: Record<string, string>[] | null;
}

const UPDATED = 'COALESCE(c.ended_at, c.started_at)';

/** A turn is the call that the turn is named after; what it calls belongs to the thread, too, but is no turn. */
export function selectThreads(projectId: number, request: QueryThreads): Statement {
  const sql = new QuerySql();
  const where = [
    `c.project_id = ${sql.bind(projectId, 'integer')}`,
    VISIBLE_CALL,
    'c.thread_id IS NOT NULL',
    'c.turn_id = c.id',
  ];
  where.push(outermost(sql.bind(projectId, 'integer')));
  const { thread_ids: ids } = request.filter ?? {};
  if (ids) where.push(`c.thread_id = ANY(${sql.bind(ids.map(indexedText), 'text[]')})`);
  const sort = request.sort_by?.length ? request.sort_by : [{ field: 'last_updated', direction: 'desc' }];
  const order = sort.map(({ field, direction }) => `${field} ${direction} NULLS LAST`);
  const text = `
    WITH threads AS (
      SELECT c.thread_id, count(*)::int AS turn_count, min(c.started_at) AS start_time, max(${UPDATED}) AS last_updated,
        (array_agg(c.id ORDER BY c.started_at, c.id))[1] AS first_turn_id,
        (array_agg(c.id ORDER BY ${UPDATED} DESC, c.id DESC))[1] AS last_turn_id,
        ${duration(0.5)} AS p50_turn_duration_ms, ${duration(0.99)} AS p99_turn_duration_ms,
        array_agg(c.long_texts) FILTER (WHERE c.long_texts IS NOT NULL) AS long_texts
      FROM calls c WHERE ${where.join(' AND ')}
      GROUP BY c.thread_id
    )
    SELECT thread_id, turn_count, ${isoTime('start_time')} AS start_time, ${isoTime('last_updated')} AS last_updated,
      first_turn_id, last_turn_id, p50_turn_duration_ms, p99_turn_duration_ms, long_texts
    FROM threads t WHERE ${between(request.filter, sql)}
    ORDER BY ${order.map((term) => `t.${term}`).join(', ')}, t.thread_id
    LIMIT ${sql.bind(request.limit ?? null, 'bigint')} OFFSET ${sql.bind(request.offset ?? 0, 'bigint')}`;
  return { text, values: sql.values };
}

/**
 * Spans say of which conversation they are, but not which of them is the turn: an agent and its model calls name the
 * same. The outermost is, also with steps between that name none.
 */
const outermost = (project: string): string => `(c.otel_dump IS NULL OR c.parent_id IS NULL OR NOT EXISTS (
  WITH RECURSIVE above (id, parent_id, thread_id) AS (
    SELECT p.id, p.parent_id, p.thread_id FROM calls p WHERE p.project_id = ${project} AND p.id = c.parent_id
    UNION
    SELECT p.id, p.parent_id, p.thread_id FROM above a JOIN calls p ON p.project_id = ${project} AND p.id = a.parent_id
  )
  SELECT FROM above WHERE thread_id = c.thread_id AND id <> c.id))`;

const duration = (share: number): string =>
  `percentile_cont(${share}) WITHIN GROUP (ORDER BY extract(epoch FROM c.ended_at - c.started_at)::float8 * 1000)`;

function between({ after_datetime: after, before_datetime: before }: ThreadFilter = {}, sql: QuerySql): string {
  const loc = ['body', 'filter'];
  const conditions = [
    after && `t.start_time > ${timeLiteral(after, sql, [...loc, 'after_datetime'])}`,
    before && `t.last_updated < ${timeLiteral(before, sql, [...loc, 'before_datetime'])}`,
  ];
  return conditions.filter(Boolean).join(' AND ') || 'true';
}
