import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { Type } from 'typebox';
import { fieldReader } from '../request/read-fields.js';
import { type CallField, parseCallField } from './call-field.js';
import { fieldOperand } from './call-query-operand.js';
import type { CallQuerySql } from './call-query-sql.js';

export const MAX_SORT_KEYS = 10;

const SortKey = Type.Object({ field: Type.String(), direction: Type.Enum(['asc', 'desc']) });
const readSortKey = fieldReader(SortKey);

type Direction = 'asc' | 'desc';

/**
 * The ORDER BY list. Ties go by start time and id, so that pages neither repeat nor miss a call. In a payload, numbers come
 * before strings, and what is missing comes last, in both directions.
 */
export function orderBy(node: JsonNode | undefined, sql: CallQuerySql): string {
  const keys = readSort(node);
  const terms = keys.flatMap(({ field, direction }) => sortTerms(field, direction, sql));
  // In the direction of a sort by time, so that the index over (started_at, id) gives the whole order.
  const last = keys.at(-1);
  const tie = last?.field.kind === 'time' && last.field.column === 'started_at' ? last.direction : 'asc';
  const names = keys.map(({ field }) => ('column' in field && field.kind !== 'payload' ? field.column : undefined));
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
    return { field: parseCallField(field, [...loc, String(i), 'field']), direction: direction as Direction };
  });
}

function sortTerms(field: CallField, direction: Direction, sql: CallQuerySql): string[] {
  // Never null in a visible call; NULLS LAST would keep the index from being read backwards.
  if (field.kind === 'time' && field.column === 'started_at') return [`c.started_at ${direction}`];
  if (field.kind === 'text' && field.column === 'id') return [`c.id ${direction}`];
  const { views, form } = fieldOperand(field, sql);
  const { number, string, boolean, time } = views;
  return [
    ...[number, boolean, time].flatMap((view) => (view ? [`${view(form)} ${direction} NULLS LAST`] : [])),
    ...(string ? [`(${string(form)}) COLLATE "C" ${direction} NULLS LAST`] : []),
  ];
}
