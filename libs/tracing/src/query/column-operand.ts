import { numberOperand, type Operand, stringOperand } from './operand.js';
import { isoTime } from './time-literal.js';

/** A column, by the type of its values; `text` holds `encodeText` forms. */
export type QueryColumn = 'text' | 'number' | 'time';

/** A column as one side of a comparison in a query. */
export function columnOperand(type: QueryColumn, sql: string): Operand {
  if (type === 'text') return stringOperand(sql, 'encodeText');
  if (type === 'number') return numberOperand(`${sql}::numeric`);
  return {
    views: { time: () => sql },
    form: 'searchableText',
    isNull: `${sql} IS NULL`,
    text: () => isoTime(sql),
  };
}
