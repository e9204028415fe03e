import { parseCallField, PAYLOADS } from './call-field.js';
import { filterConditions } from './call-filter.js';
import { QueryCompiler } from '../query/query-compiler.js';
import { newestFeedback } from './feedback-operand.js';
import { fieldOperands } from './field-operands.js';
import type { CallQueryRequest } from './call-query-request.js';
import { QuerySql } from '../query/query-sql.js';
import type { Statement } from '../query/statement.js';
import { VISIBLE_CALL } from '../store/call-record.js';
import { orderBy } from './call-sort.js';

/**
 * The ids (as they are stored) of the calls that a request asks for, in order, each with the bytes of the payloads to read.
 * Payloads themselves are read afterwards: a sort then moves a few bytes for each call, and memory can be bounded.
 */
export function selectIds(projectId: number, request: CallQueryRequest): Statement {
  const sql = new QuerySql();
  const where = callConditions(projectId, request, sql);
  const order = orderBy(request.sortBy, fieldOperands(sql, request.project, { ...request, feedback: newestFeedback }));
  const page = [
    request.limit === undefined ? '' : `LIMIT ${sql.bind(request.limit, 'bigint')}`,
    request.offset ? `OFFSET ${sql.bind(request.offset, 'bigint')}` : '',
  ].join(' ');
  const bytes = [...PAYLOADS, 'otel_dump']
    .filter((payload) => !request.unread.includes(payload))
    .map((payload) => `COALESCE(octet_length(c.${payload}), 0)`)
    .join(' + ');
  const text = `
    SELECT c.id, (${bytes || '0'})::float8 AS bytes
    FROM calls c ${sql.joins()}
    WHERE ${where}
    ORDER BY ${order} ${page}`;
  return { text, values: sql.values };
}

/** Whether a request asks for all calls of a project. */
export const isOfWholeProject = ({ filter, expression }: CallQueryRequest): boolean =>
  !expression && [...(filter?.entries().values() ?? [])].every(({ kind }) => kind === 'null');

/** SQL: bytes of a call's payloads. */
export const BYTES = PAYLOADS.map((payload) => `COALESCE(octet_length(c.${payload}), 0)`).join(' + ');

/** SQL after a select list of calls: how much they take and, of those without a parent, how much their traces do. */
export const storageSizes = ({ includeStorageSize, includeTotalStorageSize }: CallQueryRequest): string =>
  (includeStorageSize ? `, ${BYTES} AS storage_size_bytes` : '') +
  (includeTotalStorageSize ? `, ${TRACE_BYTES} AS total_storage_size_bytes` : '');

const TRACE_BYTES = `CASE WHEN c.parent_id IS NULL THEN (
  SELECT sum(${BYTES.replaceAll('c.', 't.')})::float8 FROM calls t
  WHERE t.project_id = c.project_id AND t.trace_id = c.trace_id AND ${VISIBLE_CALL.replaceAll('c.', 't.')}) END`;

/** How many calls a request asks for; of no more than its limit are counted. */
export function countCalls(projectId: number, request: CallQueryRequest): Statement {
  const sql = new QuerySql();
  const where = callConditions(projectId, request, sql);
  const limit = request.limit === undefined ? '' : `LIMIT ${sql.bind(request.limit, 'bigint')}`;
  const [size, total] = request.includeTotalStorageSize
    ? [`${TRACE_BYTES} AS bytes`, 'sum(bytes)::float8']
    : ['', 'NULL'];
  const text = `SELECT count(*)::float8 AS count, ${total} AS bytes
    FROM (SELECT ${size} FROM calls c ${sql.joins()} WHERE ${where} ${limit}) AS found`;
  return { text, values: sql.values };
}

/** SQL: what is visible of a project and meets the filter and the expression of the request. */
export function callConditions(projectId: number, request: CallQueryRequest, sql: QuerySql): string {
  const all = [
    `c.project_id = ${sql.bind(projectId, 'integer')}`,
    VISIBLE_CALL,
    ...filterConditions(request.filter, sql),
  ];
  if (request.expression) {
    const operandOf = fieldOperands(sql, request.project, request);
    const compiler = new QueryCompiler(sql, (name, loc) => operandOf(parseCallField(name, loc)));
    all.push(compiler.condition(request.expression, ['body', 'query', '$expr']));
  }
  return all.join(' AND ');
}
