import type { Bound } from '../grammar/number-grammar.js';
import { finite, SchemaRefusal, type Schema } from './schema-keywords.js';

/** What schemas say of a number, together. */
export interface NumberRange {
  min: Bound | null;
  max: Bound | null;
  multipleOf: number[];
}

export function numberRange(schemas: readonly Schema[], placeOf: (schema: Schema) => string): NumberRange {
  const range: NumberRange = { min: null, max: null, multipleOf: [] };
  for (const schema of schemas) {
    const place = placeOf(schema);
    const read = (key: string, exclusive: boolean): Bound | null => {
      const value = finite(schema, key, place);
      return value === null ? null : { value, exclusive };
    };
    for (const bound of [read('minimum', false), read('exclusiveMinimum', true)])
      range.min = tighter(range.min, bound, 1);
    for (const bound of [read('maximum', false), read('exclusiveMaximum', true)])
      range.max = tighter(range.max, bound, -1);
    const divisor = finite(schema, 'multipleOf', place);
    if (divisor === null) continue;
    if (divisor <= 0) throw new SchemaRefusal(place, '`multipleOf` must be above 0.');
    range.multipleOf.push(divisor);
  }
  return range;
}

export function isInRange(value: number, { min, max, multipleOf }: NumberRange): boolean {
  if (min && (value < min.value || (min.exclusive && value === min.value))) return false;
  if (max && (value > max.value || (max.exclusive && value === max.value))) return false;
  return multipleOf.every((divisor) => Number.isInteger(value / divisor));
}

function tighter(a: Bound | null, b: Bound | null, sign: 1 | -1): Bound | null {
  if (a === null || b === null) return a ?? b;
  if (a.value === b.value) return a.exclusive ? a : b;
  return (b.value - a.value) * sign > 0 ? b : a;
}
