import {
  ARRAY,
  END,
  ESCAPED,
  HAS_CHILDREN,
  HAS_LONE_SURROGATE,
  HAS_NUL,
  INFO,
  KEY_END,
  KEY_ESCAPED,
  KEY_START,
  KIND_MASK,
  KINDS,
  NESTING_SHIFT,
  NEXT,
  OBJECT,
  RECORD,
  START,
  type JsonIndex,
  type JsonKind,
} from './json-index.js';
import { JsonScanner } from './json-scanner.js';

/** One value of an indexed JSON text: a cursor that is made when asked for and holds nothing but two numbers. */
export class JsonNode {
  private expanded?: JsonNode;

  constructor(
    readonly index: JsonIndex,
    private readonly record = 0,
  ) {}

  get kind(): JsonKind {
    return KINDS[this.info & KIND_MASK]!;
  }

  /** Byte offsets in `index.bytes`. */
  get start(): number {
    return this.index.records[this.record + START]!;
  }

  get end(): number {
    return this.index.records[this.record + END]!;
  }

  get byteLength(): number {
    return this.end - this.start;
  }

  /** Levels of arrays and objects: 0 for a scalar, 1 for `[]` and `{"a": 1}`. */
  get nesting(): number {
    return this.info >>> NESTING_SHIFT;
  }

  /** How many values are indexed in here, itself among them. */
  get indexedValues(): number {
    const next = this.index.records[this.record + NEXT]!;
    return next - this.record / RECORD;
  }

  /** Members of an object or elements of an array, where they are indexed; a key that comes twice counts twice. */
  get childCount(): number {
    if ((this.info & HAS_CHILDREN) === 0) return 0;
    const { records } = this.index;
    const last = records[this.record + NEXT]! * RECORD;
    let count = 0;
    for (let at = this.record + RECORD; at < last; at = records[at + NEXT]! * RECORD) count++;
    return count;
  }

  /** Whether a key or a string in here holds the escape \u0000. */
  get hasNul(): boolean {
    return (this.info & HAS_NUL) !== 0;
  }

  /** Whether a key or a string in here holds the escape of half a surrogate pair. */
  get hasLoneSurrogate(): boolean {
    return (this.info & HAS_LONE_SURROGATE) !== 0;
  }

  /** The member with this key; of several, the last one, as in JSON.parse. Undefined for anything but an object. */
  get(key: string): JsonNode | undefined {
    if ((this.info & KIND_MASK) !== OBJECT) return undefined;
    const { index, record, last } = this.children();
    let found = -1;
    for (let at = record; at < last; at = index.records[at + NEXT]! * RECORD) if (hasKey(index, at, key)) found = at;
    return found < 0 ? undefined : new JsonNode(index, found);
  }

  /** The elements of an array; nothing for any other kind. */
  *items(): Generator<JsonNode, void> {
    if ((this.info & KIND_MASK) !== ARRAY) return;
    const { index, record, last } = this.children();
    for (let at = record; at < last; at = index.records[at + NEXT]! * RECORD) yield new JsonNode(index, at);
  }

  /** The members of an object, each key once with its last value; empty for any other kind. */
  entries(): Map<string, JsonNode> {
    const members = new Map<string, JsonNode>();
    if ((this.info & KIND_MASK) !== OBJECT) return members;
    const { index, record, last } = this.children();
    for (let at = record; at < last; at = index.records[at + NEXT]! * RECORD) {
      members.set(keyOf(index, at), new JsonNode(index, at));
    }
    return members;
  }

  keys(): string[] {
    return [...this.entries().keys()];
  }

  /** The value's own text: a view of the request's bytes, not a copy. */
  raw(): Buffer {
    return this.index.bytes.subarray(this.start, this.end);
  }

  text(): string {
    return this.index.bytes.toString('utf8', this.start, this.end);
  }

  /** The value as JSON.parse sees it, with what that loses. For small values: it parses at once, whatever the size. */
  value(): unknown {
    return JSON.parse(this.text());
  }

  string(): string | undefined {
    if (this.kind !== 'string') return undefined;
    if ((this.info & ESCAPED) !== 0) return this.value() as string;
    return this.index.bytes.toString('utf8', this.start + 1, this.end - 1);
  }

  number(): number | undefined {
    return this.kind === 'number' ? Number(this.text()) : undefined;
  }

  boolean(): boolean | undefined {
    return this.kind === 'boolean' ? this.text() === 'true' : undefined;
  }

  private get info(): number {
    return this.index.records[this.record + INFO]!;
  }

  /** Where the children's records lie. Below the indexed depth they are indexed now, in one go: look at byteLength first. */
  private children(): { index: JsonIndex; record: number; last: number } {
    if ((this.info & HAS_CHILDREN) === 0) {
      this.expanded ??= new JsonNode(indexRange(this.index.bytes, this.start, this.end));
      return this.expanded.children();
    }
    return { index: this.index, record: this.record + RECORD, last: this.index.records[this.record + NEXT]! * RECORD };
  }
}

function indexRange(bytes: Buffer, start: number, end: number): JsonIndex {
  const scanner = new JsonScanner(bytes, { maxDepth: Infinity, maxNodes: Infinity }, start, end);
  scanner.step(end - start);
  return scanner.result();
}

function keyOf(index: JsonIndex, at: number): string {
  const [start, end] = [index.records[at + KEY_START]!, index.records[at + KEY_END]!];
  if ((index.records[at + INFO]! & KEY_ESCAPED) === 0) return index.bytes.toString('utf8', start + 1, end - 1);
  return JSON.parse(index.bytes.toString('utf8', start, end)) as string;
}

/** Compares without making a string as long as both sides are plain ASCII. */
function hasKey(index: JsonIndex, at: number, key: string): boolean {
  const { records, bytes } = index;
  if ((records[at + INFO]! & KEY_ESCAPED) !== 0) return keyOf(index, at) === key;
  const start = records[at + KEY_START]! + 1;
  const length = records[at + KEY_END]! - 1 - start;
  if (length < key.length) return false;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    if (unit > 0x7f) return keyOf(index, at) === key;
    if (bytes[start + i] !== unit) return false;
  }
  return length === key.length;
}
