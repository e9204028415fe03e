import type { Operand } from './operand.js';
import { numberOf } from './query-sql.js';

/** A JSON value, read by path from a column, as one side of a comparison. `value` is SQL of type json. */
export function jsonOperand(value: string): Operand {
  const text = `(${value} #>> '{}')`;
  const typed = (type: string, sql: string): string => `CASE WHEN json_typeof(${value}) = '${type}' THEN ${sql} END`;
  return {
    views: {
      number: () => typed('number', numberOf(text)),
      string: () => typed('string', text),
      boolean: () => typed('boolean', `${text}::boolean`),
    },
    coerced: coercedJson({ type: `json_typeof(${value})`, text, number: numberOf(text) }),
    form: 'searchableText',
    isNull: `${text} IS NULL`,
    text: () => text,
  };
}

interface JsonParts {
  type: string;
  text: string;
  /** Of any text. */
  number: string;
}

/** A scalar in JSON as each type that literals have. */
export const coercedJson = ({ type, text, number }: JsonParts): NonNullable<Operand['coerced']> => ({
  number: `CASE WHEN ${type} IN ('number', 'string') THEN ${number} END`,
  string: `CASE WHEN ${type} IN ('string', 'number', 'boolean') THEN ${text} END`,
  boolean: `CASE WHEN ${type} IN ('boolean', 'string') THEN CASE lower(${text}) WHEN 'true' THEN true WHEN 'false' THEN false END END`,
});

/** ORDER BY terms: numbers before strings, and what is missing last, in both directions. */
export function sortTerms(operand: Operand, direction: 'asc' | 'desc'): string[] {
  const { number, string, boolean, time } = operand.views;
  return [
    ...[number, boolean, time].flatMap((view) => (view ? [`${view(operand.form)} ${direction} NULLS LAST`] : [])),
    ...(string ? [`(${string(operand.form)}) COLLATE "C" ${direction} NULLS LAST`] : []),
  ];
}
