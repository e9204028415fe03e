import { encodeText } from '@heddle/json';
import { QuerySql } from '../query/query-sql.js';
import type { Statement } from '../query/statement.js';
import { isoMicros } from '../usage/time-buckets.js';
import type { Micros } from '../values/timestamp.js';
import type { AggregateFeedback } from './feedback-reports.schema.js';

/** A row of {@link selectPayloads}; the time in microseconds since 1970, as digits. */
export interface PayloadRow {
  at: string;
  payload: string;
}

export interface FeedbackWindow {
  start: Micros;
  end: Micros;
  feedback_type?: string;
  trigger_ref?: string;
}

const MICROS = '(extract(epoch FROM c.created_at) * 1000000)::bigint';

/** Payloads of a stretch of time. @param newest at most so many, the newest */
export function selectPayloads(projectId: number, window: FeedbackWindow, newest?: number): Statement {
  const sql = new QuerySql();
  const where = [...within(projectId, window.start, window.end, sql)];
  if (window.feedback_type !== undefined)
    where.push(`c.feedback_type = ${sql.bind(encodeText(window.feedback_type), 'text')}`);
  const { trigger_ref: trigger } = window;
  if (trigger?.endsWith(':*')) where.push(`c.trigger_ref ^@ ${sql.bind(encodeText(trigger.slice(0, -1)), 'text')}`);
  else if (trigger !== undefined) where.push(`c.trigger_ref = ${sql.bind(encodeText(trigger), 'text')}`);
  const order = newest === undefined ? '' : `ORDER BY c.created_at DESC LIMIT ${sql.bind(newest, 'int')}`;
  const text = `SELECT ${MICROS} AS at, c.payload FROM feedback c WHERE ${where.join(' AND ')} ${order}`;
  return { text, values: sql.values };
}

/** What a scorer said, to be counted. Texts as stored. */
export interface ScoredRow {
  at: string;
  runnable_ref: string | null;
  details: string;
}

export function selectScored(projectId: number, request: AggregateFeedback): Statement {
  const sql = new QuerySql();
  const millis = (ms: number): Micros => BigInt(ms) * 1000n;
  const where = within(projectId, millis(request.after_ms), millis(request.before_ms), sql);
  const starts = request.feedback_types?.map((type) => encodeText(type.replace(/\*+$/, '')));
  if (starts?.length)
    where.push(`EXISTS (SELECT FROM unnest(${sql.bind(starts, 'text[]')}) s WHERE c.feedback_type ^@ s)`);
  for (const [column, ids] of [
    ['trigger_ref', request.monitor_ids],
    ['runnable_ref', request.scorer_ids],
  ] as const) {
    if (ids?.length) where.push(namesObject(`c.${column}`, ids, sql));
  }
  if (request.span_types?.length) {
    const types = sql.bind(request.span_types, 'text[]');
    where.push(
      `(string_to_array(c.weave_ref, '/'))[array_length(string_to_array(c.weave_ref, '/'), 1) - 1] = ANY(${types})`,
    );
  }
  const text = `SELECT ${MICROS} AS at, c.runnable_ref, c.details FROM feedback c WHERE ${where.join(' AND ')} ORDER BY c.created_at`;
  return { text, values: sql.values };
}

/** Whether a reference names one of the objects; `NAME*` stands for all that begin so. */
function namesObject(column: string, ids: readonly string[], sql: QuerySql): string {
  const name = `substring(${column} FROM '^weave:///[^/]+/[^/]+/[^/]+/([^/:]+)')`;
  const exact = ids.filter((id) => !id.endsWith('*')).map(encodeText);
  const starts = ids.filter((id) => id.endsWith('*')).map((id) => encodeText(id.slice(0, -1)));
  return `(${name} = ANY(${sql.bind(exact, 'text[]')}) OR EXISTS (
    SELECT FROM unnest(${sql.bind(starts, 'text[]')}) s WHERE ${name} ^@ s))`;
}

const within = (projectId: number, start: Micros, end: Micros, sql: QuerySql): string[] => [
  `c.project_id = ${sql.bind(projectId, 'integer')}`,
  `c.created_at >= ${sql.bind(isoMicros(start), 'timestamptz')}`,
  `c.created_at < ${sql.bind(isoMicros(end), 'timestamptz')}`,
];
