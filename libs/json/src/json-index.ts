import { JsonLimitError } from './json.errors.js';

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

export const OBJECT = 0;
export const ARRAY = 1;
export const STRING = 2;
export const NUMBER = 3;
export const BOOLEAN = 4;
export const NULL = 5;
export const KINDS: readonly JsonKind[] = ['object', 'array', 'string', 'number', 'boolean', 'null'];

/** A record: byte offsets of value and key (quotes included; in an array no key's), the next sibling's number, facts. */
export const START = 0;
export const END = 1;
export const KEY_START = 2;
export const KEY_END = 3;
export const NEXT = 4;
export const INFO = 5;
export const RECORD = 6;

/** INFO: the kind, flags, and above them the nesting. */
export const KIND_MASK = 7;
export const ESCAPED = 1 << 3;
export const HAS_NUL = 1 << 4;
export const HAS_LONE_SURROGATE = 1 << 5;
export const KEY_ESCAPED = 1 << 6;
export const HAS_CHILDREN = 1 << 7;
export const FLAGS_MASK = 0xff;
export const NESTING_SHIFT = 8;
export const MAX_NESTING = 2 ** 23 - 1;

/** Real references are longer than 60 bytes: no 30 MiB body holds as many. A hostile one is not to fill the heap. */
const MAX_REFERENCES = 500_000;

/**
 * The values of a JSON text in document order, as 24-byte records in one typed array: a record is followed by its
 * descendants, and NEXT leads past them.
 */
export class JsonIndex {
  records: Int32Array;
  count = 0;
  hasNonFinite = false;
  /** Offsets of the string values that start like a reference, ascending; at any depth. See MAX_REFERENCES. */
  readonly references: number[] = [];

  /** @param from where in the bytes the text begins @param length its own */
  constructor(
    readonly bytes: Buffer,
    private readonly from: number,
    private readonly length: number,
    private readonly maxNodes: number,
  ) {
    this.records = new Int32Array(RECORD * Math.min(maxNodes, 16 + (length >> 7)));
  }

  /** Appends a record and returns where it lies in `records`. */
  add(start: number, end: number, keyStart: number, keyEnd: number, info: number): number {
    if (this.count === this.maxNodes) throw new JsonLimitError(`More than ${this.maxNodes} values`, start);
    const at = this.count++ * RECORD;
    if (at === this.records.length) this.grow(start);
    const { records } = this;
    records[at + START] = start;
    records[at + END] = end;
    records[at + KEY_START] = keyStart;
    records[at + KEY_END] = keyEnd;
    records[at + NEXT] = this.count;
    records[at + INFO] = info;
    return at;
  }

  addReference(at: number): void {
    if (this.references.length < MAX_REFERENCES) this.references.push(at);
  }

  /**
   * As if the rest of the text held as many values as what was read: to copy tens of megabytes again and again would hold
   * everybody up, and memory that is never written is never taken.
   */
  private grow(read: number): void {
    const foreseen = 1.1 * this.count * (this.length / Math.max(read - this.from, 1));
    const wanted = Math.ceil(Math.min(Math.max(foreseen, 1.5 * this.count), this.maxNodes));
    const wider = new Int32Array(wanted * RECORD);
    wider.set(this.records);
    this.records = wider;
  }
}
