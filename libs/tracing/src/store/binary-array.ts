import { JsonNode } from '@heddle/json';
import type { Cell, CellType } from './call-columns.js';

/** Object ids of PostgreSQL's built-in element types; the same on every server. */
const OIDS = { integer: 23, bigint: 20, text: 25, timestamptz: 1184 } as const;
type ElementType = keyof typeof OIDS;

const HEADER_BYTES = 20;
/** PostgreSQL counts microseconds from the year 2000. */
const POSTGRES_EPOCH = 946_684_800_000_000n;

/**
 * A column as one parameter: an array in PostgreSQL's binary format, payload bytes copied once and nothing quoted.
 * Null where no row has a value; `unnest` then gives nulls.
 */
export function binaryArray(type: CellType, rows: number, cellAt: (row: number) => Cell): Buffer | null {
  const element: ElementType = type === 'jsonb' || type === 'text[]' ? 'text' : type;
  let size = 0;
  for (let row = 0; row < rows; row++) size += sizeOf(cellAt(row));
  if (size === 0) return null;
  const array = Buffer.allocUnsafe(HEADER_BYTES + 4 * rows + size);
  let at = writeHeader(array, OIDS[element], rows);
  for (let row = 0; row < rows; row++) {
    const cell = cellAt(row);
    const length = cell === null ? -1 : writeCell(array, at + 4, element, cell);
    array.writeInt32BE(length, at);
    at += 4 + Math.max(length, 0);
  }
  return array.subarray(0, at);
}

/** An upper bound, and more than 0 for all but null; for strings it saves counting their bytes. */
function sizeOf(cell: Cell): number {
  if (cell === null) return 0;
  if (typeof cell === 'string') return cell.length * 3 + 1;
  if (cell instanceof JsonNode) return cell.end - cell.start;
  return Buffer.isBuffer(cell) ? cell.length : 8;
}

/** One dimension, nulls allowed, element type, length, first index 1. */
function writeHeader(array: Buffer, oid: number, length: number): number {
  return [1, 1, oid, length, 1].reduce((at, value) => array.writeInt32BE(value, at), 0);
}

/** @returns how many bytes that took */
function writeCell(array: Buffer, at: number, type: ElementType, cell: NonNullable<Cell>): number {
  if (typeof cell === 'string') return array.write(cell, at);
  if (cell instanceof JsonNode) return cell.index.bytes.copy(array, at, cell.start, cell.end);
  if (Buffer.isBuffer(cell)) return cell.copy(array, at);
  if (type === 'integer') return array.writeInt32BE(Number(cell), at) - at;
  return array.writeBigInt64BE(stored(type, BigInt(cell)), at) - at;
}

/** One value as a parameter by itself. */
export function binaryInteger(type: CellType, value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(stored(type, value));
  return bytes;
}

const stored = (type: CellType, value: bigint): bigint => (type === 'timestamptz' ? value - POSTGRES_EPOCH : value);
