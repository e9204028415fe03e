import type { ProjectName } from '@heddle/projects';
import { columnOperand } from '../query/column-operand.js';
import type { CallField } from './call-field.js';
import { computedSql } from './computed-fields.js';
import { anyFeedback, type FeedbackOperand } from './feedback-operand.js';
import { payloadAt } from './payload-sql.js';
import { constant, numberOperand, type Operand, stringOperand } from '../query/operand.js';
import type { QuerySql } from '../query/query-sql.js';

/** Columns without an index, which keep texts of any length. */
const FREE_TEXTS: ReadonlySet<string> = new Set(['display_name', 'exception', 'wb_user_id']);

/**
 * What the fields of calls stand for in a statement over `calls c`.
 * @param project whose calls are queried: their feedback names them by it
 * @param feedback of several pieces of feedback, which count
 */
export const fieldOperands =
  (sql: QuerySql, project: ProjectName, feedback: FeedbackOperand = anyFeedback) =>
  (field: CallField): Operand => {
    switch (field.kind) {
      case 'payload':
        return payloadOperand(payloadAt(field.column, field.path, sql));
      case 'feedback':
        return feedback(field, sql, project);
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
