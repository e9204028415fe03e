import type { ProjectName } from '@heddle/projects';
import { columnOperand } from '../query/column-operand.js';
import type { CallField } from './call-field.js';
import { costOperand } from './cost-operand.js';
import type { PriceSpan } from '../costs/price-spans.js';
import { computedSql } from './computed-fields.js';
import { anyFeedback, type FeedbackOperand } from './feedback-operand.js';
import { payloadAt } from './payload-sql.js';
import { constant, numberOperand, type Operand, stringOperand } from '../query/operand.js';
import type { ExpandedValues } from './expansion/expanded-fields.js';
import { coercedJson, jsonOperand } from '../query/json-operand.js';
import { numberOf, type QuerySql } from '../query/query-sql.js';

/** Columns without an index, which keep texts of any length. */
const FREE_TEXTS: ReadonlySet<string> = new Set(['display_name', 'exception', 'wb_user_id']);

export interface FieldSources {
  /** Which of several pieces of feedback count. */
  feedback?: FeedbackOperand;
  /** What models cost; without, costs can't be asked for. */
  prices?: readonly PriceSpan[];
  /** Fields that lie behind references, by name. */
  expanded?: readonly ExpandedValues[];
}

/**
 * What the fields of calls stand for in a statement over `calls c`.
 * @param project whose calls are queried: their feedback names them by it
 */
export const fieldOperands =
  (sql: QuerySql, project: ProjectName, { feedback = anyFeedback, prices, expanded }: FieldSources = {}) =>
  (field: CallField): Operand => {
    switch (field.kind) {
      case 'payload': {
        const behind = expanded?.find(({ name }) => name === field.name);
        if (behind) return expandedOperand(behind, sql);
        return payloadOperand(payloadAt(field.column, field.path, sql));
      }
      case 'feedback':
        return feedback(field, sql, project);
      case 'cost':
        return costOperand(field, sql, prices);
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
  coerced: coercedJson({
    type: `${p}.type`,
    text: `${p}.text`,
    number: `COALESCE(${p}.number, ${numberOf(`${p}.text`)})`,
  }),
  form: 'searchableText',
  isNull: `${p}.text IS NULL`,
  text: constant(`${p}.text`),
});

/** Each reference was followed before; here it is only looked up. */
function expandedOperand({ name, column, path, values }: ExpandedValues, sql: QuerySql): Operand {
  const list = sql.once(`expanded ${name}`, () => sql.bind(JSON.stringify(values), 'json'));
  const ref = `${payloadAt(column, path, sql)}.text`;
  const found = `SELECT r.value FROM json_to_recordset(${list}) AS r (ref text, value text) WHERE r.ref = ${ref} LIMIT 1`;
  return jsonOperand(sql.derived(`(${found})::json`));
}
