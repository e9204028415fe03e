import { JsonLimitError } from './json.errors.js';

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

export const OBJECT = 0;
export const ARRAY = 1;
export const STRING = 2;
export const NUMBER = 3;
export const BOOLEAN = 4;
export const NULL = 5;
export const KINDS: readonly JsonKind[] = ['object', 'array', 'string', 'number', 'boolean', 'null'];

/** Bits beside the kind (3 bits) in a record's INFO; the nesting lies above them. */
export const ESCAPED = 1 << 3;
export const HAS_NUL = 1 << 4;
export const HAS_LONE_SURROGATE = 1 << 5;
export const KEY_ESCAPED = 1 << 6;
export const HAS_CHILDREN = 1 << 7;
export const NESTING_SHIFT = 8;
export const MAX_NESTING = 2 ** 23 - 1;

/** A record: byte offsets of value and key (quotes included; -1: no key), the next sibling's number, kind and facts. */
export const START = 0;
export const END = 1;
export const KEY_START = 2;
export const KEY_END = 3;
export const NEXT = 4;
export const INFO = 5;
export const RECORD = 6;

/**
 * The values of a JSON text in document order, as 24-byte records in one typed array: a record is followed by its
 * descendants, and NEXT leads past them. While a container is open, its NEXT holds the parent instead.
 */
export class JsonIndex {
  records: Int32Array;
  count = 0;
  hasNonFinite = false;
  /** Offsets of the string values that start like a reference, ascending. */
  readonly references: number[] = [];
  private open = -1;

  constructor(
    readonly bytes: Buffer,
    length: number,
    private readonly maxNodes: number,
  ) {
    this.records = new Int32Array(RECORD * Math.min(maxNodes, 16 + (length >> 7)));
  }

  add(start: number, end: number, keyStart: number, keyEnd: number, info: number): number {
    const node = this.count;
    if (node === this.maxNodes) throw new JsonLimitError(`More than ${this.maxNodes} values`, start);
    const at = node * RECORD;
    if (at === this.records.length) this.grow();
    const { records } = this;
    records[at + START] = start;
    records[at + END] = end;
    records[at + KEY_START] = keyStart;
    records[at + KEY_END] = keyEnd;
    records[at + NEXT] = node + 1;
    records[at + INFO] = info;
    this.count = node + 1;
    return at;
  }

  openContainer(start: number, keyStart: number, keyEnd: number, info: number): void {
    const at = this.add(start, -1, keyStart, keyEnd, info);
    this.records[at + NEXT] = this.open;
    this.open = at;
  }

  /** Ends the innermost open container and returns its offset in `records`, for its facts to be set. */
  closeContainer(end: number): number {
    const at = this.open;
    this.open = this.records[at + NEXT]!;
    this.records[at + END] = end;
    this.records[at + NEXT] = this.count;
    return at;
  }

  private grow(): void {
    const wider = new Int32Array(Math.min(this.records.length * 2, this.maxNodes * RECORD));
    wider.set(this.records);
    this.records = wider;
  }
}
