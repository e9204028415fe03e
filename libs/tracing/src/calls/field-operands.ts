import { encodeText } from '@heddle/json';
import type { ProjectName } from '@heddle/projects';
import { columnOperand } from '../query/column-operand.js';
import { jsonOperand } from '../query/json-operand.js';
import type { CallField, FeedbackField } from './call-field.js';
import { computedSql } from './computed-fields.js';
import { payloadAt } from './payload-sql.js';
import { constant, numberOperand, type Operand, stringOperand } from '../query/operand.js';
import { type QuerySql, searchableText } from '../query/query-sql.js';

/** Columns without an index, which keep texts of any length. */
const FREE_TEXTS: ReadonlySet<string> = new Set(['display_name', 'exception', 'wb_user_id']);

/**
 * What the fields of calls stand for in a statement over `calls c`.
 * @param project whose calls are queried: their feedback names them by it
 */
export const fieldOperands =
  (sql: QuerySql, project: ProjectName) =>
  (field: CallField): Operand => {
    switch (field.kind) {
      case 'payload':
        return payloadOperand(payloadAt(field.column, field.path, sql));
      case 'feedback':
        return feedbackOperand(field, sql, project);
      case 'computed': {
        const computed = computedSql(field.name, sql);
        return field.name === 'latency_ms' ? numberOperand(computed) : stringOperand(computed, 'encodeText');
      }
      case 'text': {
        const form = FREE_TEXTS.has(field.column) ? 'encodeText' : 'indexedText';
        return stringOperand(`c.${field.column}`, form);
      }
      case 'number':
      case 'time':
        return columnOperand(field.kind, `c.${field.column}`);
    }
  };

const payloadOperand = (p: string): Operand => ({
  views: {
    number: constant(`${p}.number`),
    string: constant(`CASE WHEN ${p}.type = 'string' THEN ${p}.text END`),
    boolean: constant(`CASE WHEN ${p}.type = 'boolean' THEN ${p}.text::boolean END`),
  },
  form: 'searchableText',
  isNull: `${p}.text IS NULL`,
  text: constant(`${p}.text`),
});

/** The newest feedback of that type about the call. */
function feedbackOperand(field: FeedbackField, sql: QuerySql, project: ProjectName): Operand {
  const { type, column, path } = field;
  const newest = (what: string): string => {
    const call = sql.bind(encodeText(`weave:///${project.entity}/${project.project}/call/`), 'text');
    return `(
      SELECT ${what} FROM feedback f
      WHERE f.project_id = c.project_id AND f.weave_ref = ${call} || c.id
        AND f.feedback_type = ${sql.bind(encodeText(type), 'text')}
      ORDER BY f.created_at DESC, f.id DESC LIMIT 1)`;
  };
  const value = sql.once(JSON.stringify(field), () => {
    if (column !== 'payload') return sql.derived(newest(`f.${column}`));
    const place = sql.bind(path.map(searchableText), 'text[]');
    return sql.derived(newest(`COALESCE(f.payload_search, f.payload)::json #> ${place}`));
  });
  return column === 'payload' ? jsonOperand(value) : stringOperand(value, 'encodeText');
}
