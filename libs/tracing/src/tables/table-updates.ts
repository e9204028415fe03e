import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { fieldReader } from '../request/read-fields.js';
import { wrongKind } from '../request/wrong-kind.js';
import { RowPlace } from './tables.schema.js';

/** One step from a table to the next; indexes count in the table as the steps before left it. */
export type TableUpdate = { row: JsonNode; index?: number } | { pop: number };

const readPlace = fieldReader(RowPlace);

/** Reads `[{append: {row}}, {insert: {index, row}}, {pop: {index}}]`. */
export function readUpdates(updates: JsonNode): TableUpdate[] {
  return [...updates.items()].map((update, i) => {
    const loc = ['body', 'updates', i];
    const [append, insert, pop] = ['append', 'insert', 'pop'].map((name) => update.get(name));
    if (append) return { row: rowOf(append, [...loc, 'append']) };
    if (insert) return { row: rowOf(insert, [...loc, 'insert']), index: readPlace(insert, [...loc, 'insert']).index };
    if (pop) return { pop: readPlace(pop, [...loc, 'pop']).index };
    throw ValidationError.at(loc, 'must be an append, an insert or a pop', 'table_update');
  });
}

/**
 * Changes a list of row digests in place.
 * @param newDigests of the rows of the updates that have one, in order
 * @returns the digests that went in or out, in order
 */
export function applyUpdates(digests: string[], updates: TableUpdate[], newDigests: string[]): string[] {
  let next = 0;
  return updates.map((update, i) => {
    const index = 'pop' in update ? update.pop : (update.index ?? digests.length);
    const last = 'pop' in update ? digests.length - 1 : digests.length;
    if (index > last)
      throw ValidationError.at(['body', 'updates', i], `index ${index} is not in the table`, 'index_range');
    if ('pop' in update) return digests.splice(index, 1)[0]!;
    const digest = newDigests[next++]!;
    digests.splice(index, 0, digest);
    return digest;
  });
}

function rowOf(update: JsonNode, loc: (string | number)[]): JsonNode {
  const row = update.get('row');
  if (row?.kind === 'object') return row;
  throw wrongKind([...loc, 'row'], 'object', row);
}
