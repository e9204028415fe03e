import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { Type } from 'typebox';
import { sortTerms } from '../query/json-operand.js';
import { fieldReader } from '../request/read-fields.js';
import { type CallField, parseCallField } from './call-field.js';
import type { Operand } from '../query/operand.js';

export const MAX_SORT_KEYS = 10;

const SortKey = Type.Object({
  field: Type.String(),
  direction: Type.Enum(['asc', 'desc']),
});
export const CallSort = Type.Array(SortKey, {
  maxItems: MAX_SORT_KEYS,
  description: 'Default: by `started_at`, then by `id`, which also decide between equals.',
});
const readSortKey = fieldReader(SortKey);

type Direction = 'asc' | 'desc';

/**
 * The ORDER BY list. Ties go by start time and id, so that pages neither repeat nor miss a call. In a payload, numbers come
 * before strings, and what is missing comes last, in both directions.
 */
export function orderBy(node: JsonNode | undefined, operandOf: (field: CallField) => Operand): string {
  const keys = readSort(node);
  const terms = keys.flatMap(({ field, direction }) => termsOf(field, direction, operandOf));
  // In the direction of a sort by time, so that the index over (started_at, id) gives the whole order.
  const last = keys.at(-1);
  const tie = last?.field.kind === 'time' && last.field.column === 'started_at' ? last.direction : 'asc';
  const names = keys.map(({ field }) => (field.kind === 'time' || field.kind === 'text' ? field.column : undefined));
  if (!names.includes('started_at')) terms.push(`c.started_at ${tie}`);
  if (!names.includes('id')) terms.push(`c.id ${tie}`);
  return terms.join(', ');
}

function readSort(node: JsonNode | undefined): { field: CallField; direction: Direction }[] {
  if (!node || node.kind === 'null') return [];
  const loc = ['body', 'sort_by'];
  const items = [...node.items()];
  if (node.kind !== 'array') throw ValidationError.at(loc, 'must be a list', 'list_type');
  if (items.length > MAX_SORT_KEYS) throw ValidationError.at(loc, `more than ${MAX_SORT_KEYS} sort keys`, 'too_long');
  return items.map((item, i) => {
    const { field, direction } = readSortKey(item, [...loc, i]);
    return { field: parseCallField(field, [...loc, String(i), 'field']), direction };
  });
}

function termsOf(field: CallField, direction: Direction, operandOf: (field: CallField) => Operand): string[] {
  // Never null in a visible call; NULLS LAST would keep the index from being read backwards.
  if (field.kind === 'time' && field.column === 'started_at') return [`c.started_at ${direction}`];
  if (field.kind === 'text' && field.column === 'id') return [`c.id ${direction}`];
  return sortTerms(operandOf(field), direction);
}
