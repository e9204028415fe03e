import { JsonNode } from '@heddle/json';
import { binaryArray, binaryInteger } from './binary-array.js';
import { type Cell, type Column, type ColumnName, WRITTEN_COLUMNS } from './call-columns.js';
import type { CallWrite } from './call-write.js';

/** Payload bytes of one statement: large enough to be quick, small enough to hold up nobody and to need little memory. */
const CHUNK_BYTES = 1024 * 1024;
const MAX_CHUNK_ROWS = 2000;

/** Of any length; all other values are short, but for originals of long names. */
const LONG = ['attributes', 'inputs', 'output', 'summary', 'otel_dump', 'exception', 'display_name'] as const;

/** Cuts the rows, in their order, into statements' worth. A row that is larger than a chunk is one by itself. */
export function* chunksOf(writes: readonly CallWrite[]): Generator<CallWrite[], void> {
  let chunk: CallWrite[] = [];
  let bytes = 0;
  for (const write of writes) {
    const size = sizeOf(write);
    if (chunk.length > 0 && (bytes + size > CHUNK_BYTES || chunk.length === MAX_CHUNK_ROWS)) {
      yield chunk;
      [chunk, bytes] = [[], 0];
    }
    chunk.push(write);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}

export const isLarge = (write: CallWrite): boolean => sizeOf(write) > CHUNK_BYTES;

/** For `UPSERT_CALLS`. */
export function upsertParameters(writes: readonly CallWrite[]): (Buffer | null)[] {
  return WRITTEN_COLUMNS.map(({ name, type }) => binaryArray(type, writes.length, (row) => cellOf(writes[row]!, name)));
}

/** For `UPSERT_LARGE_CALL`: payloads are views of the request's bytes. */
export function largeCallParameters(write: CallWrite): (Buffer | string | number | null)[] {
  return WRITTEN_COLUMNS.map(({ name, type }) => {
    const cell = cellOf(write, name);
    if (typeof cell === 'bigint') return binaryInteger(type, cell);
    return cell instanceof JsonNode ? cell.raw() : cell;
  });
}

const RENAME_COLUMNS: readonly [keyof CallWrite, Column['type']][] = [
  ['project_id', 'integer'],
  ['id', 'text'],
  ['ended_at', 'timestamptz'],
  ['rename', 'text'],
];

/** For `RENAME_CALLS`. */
export function renameParameters(writes: readonly CallWrite[]): (Buffer | null)[] {
  return RENAME_COLUMNS.map(([name, type]) => binaryArray(type, writes.length, (row) => writes[row]![name] as Cell));
}

function cellOf(write: CallWrite, name: ColumnName): Cell {
  if (name !== 'long_texts') return write[name];
  return write.long_texts && JSON.stringify(write.long_texts);
}

function sizeOf(write: CallWrite): number {
  const originals = write.long_texts ? Object.values(write.long_texts) : [];
  return [...LONG.map((name) => write[name]), ...originals].reduce<number>((sum, cell) => sum + lengthOf(cell), 0);
}

function lengthOf(cell: Cell): number {
  if (cell instanceof JsonNode) return cell.end - cell.start;
  return typeof cell === 'string' || Buffer.isBuffer(cell) ? cell.length : 0;
}
