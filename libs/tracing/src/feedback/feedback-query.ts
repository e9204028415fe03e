import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { columnOperand } from '../query/column-operand.js';
import { conditionOf, type FieldOf, sortOf } from '../query/expression.js';
import { splitPath } from '../query/field-path.js';
import { jsonOperand } from '../query/json-operand.js';
import { QuerySql, searchableText } from '../query/query-sql.js';
import { DETAILS } from './feedback-details.js';
import { FEEDBACK_COLUMNS } from './feedback-row.js';
import type { QueryFeedback } from './feedback.schema.js';

const TEXTS: ReadonlySet<string> = new Set([
  'id',
  'weave_ref',
  'feedback_type',
  'creator',
  'annotation_ref',
  'runnable_ref',
  'call_ref',
  'trigger_ref',
  'queue_id',
  'wb_user_id',
]);

const DETAIL_NAMES: ReadonlySet<string> = new Set(DETAILS);
/** PostgreSQL's JSON functions fail on these escapes. */
const READABLE_DETAILS = String.raw`CASE WHEN c.details !~* '\\u(0000|d[89a-f])' THEN c.details::json END`;

export interface Statement {
  text: string;
  values: unknown[];
}

export function selectFeedback(projectId: number, request: QueryFeedback, body: JsonNode): Statement {
  const sql = new QuerySql();
  const found = foundIn(projectId, sql, conditionOf(body, sql, fieldsOf(sql)) ?? 'true');
  const order = [...sortOf(request.sort_by ?? [], fieldsOf(sql)), 'c.created_at', 'c.id'];
  const page = `LIMIT ${sql.bind(request.limit ?? null, 'int')} OFFSET ${sql.bind(request.offset ?? 0, 'int')}`;
  return { text: `SELECT ${FEEDBACK_COLUMNS} ${found()} ORDER BY ${order.join(', ')} ${page}`, values: sql.values };
}

export function countFeedback(projectId: number, body: JsonNode): Statement {
  const sql = new QuerySql();
  const found = foundIn(projectId, sql, conditionOf(body, sql, fieldsOf(sql)) ?? 'true');
  return { text: `SELECT count(*)::int AS count ${found()}`, values: sql.values };
}

/** A function, since the joins are complete only when all fields have been named. */
function foundIn(projectId: number, sql: QuerySql, condition: string): () => string {
  const project = sql.bind(projectId, 'int');
  return () => `FROM feedback c ${sql.joins()} WHERE c.project_id = ${project} AND ${condition}`;
}

/** `payload.a.b` is looked up in the payload; the other fields are columns. */
const fieldsOf =
  (sql: QuerySql): FieldOf =>
  (name, loc) => {
    if (TEXTS.has(name)) return columnOperand('text', `c.${name}`);
    if (name === 'created_at') return columnOperand('time', 'c.created_at');
    const [column = '', ...path] = splitPath(name);
    if (DETAIL_NAMES.has(column)) {
      const place = sql.bind([column, ...path].map(searchableText), 'text[]');
      return jsonOperand(sql.derived(`(${READABLE_DETAILS}) #> ${place}`));
    }
    if (column !== 'payload')
      throw ValidationError.at(loc, 'Feedback has no such field', 'unknown_field', name.slice(0, 100));
    const place = sql.bind(path.map(searchableText), 'text[]');
    return jsonOperand(sql.derived(`COALESCE(c.payload_search, c.payload)::json #> ${place}`));
  };
