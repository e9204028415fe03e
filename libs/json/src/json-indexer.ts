import { END, ESCAPED, FLAGS_MASK, HAS_CHILDREN, HAS_LONE_SURROGATE, HAS_NUL, INFO, JsonIndex } from './json-index.js';
import { KEY_ESCAPED, NESTING_SHIFT, NEXT, START } from './json-index.js';

export interface IndexerOptions {
  /** How many levels below the top value are indexed; what lies deeper is checked and skipped. Default 1. */
  depth?: number;
  /** More indexed values than this are a JsonLimitError. Default 1,000,000 (24 MB of index). */
  maxNodes?: number;
}

/**
 * Builds the index from what the scanner meets. Facts about a value are read off at its end ("was the last NUL escape
 * after my start?"), and what must wait for the end of a container waits in its record: the parent in NEXT, the
 * nesting found before it in INFO.
 */
export class JsonIndexer {
  readonly index: JsonIndex;
  private readonly indexedDepth: number;
  private open = -1;
  private deepest = 0;
  private keyStart = -1;
  private keyEnd = -1;
  private keyFlags = 0;
  private lastEscape = -1;
  private lastNul = -1;
  private lastLoneSurrogate = -1;

  constructor(bytes: Buffer, from: number, length: number, options: IndexerOptions) {
    this.indexedDepth = options.depth ?? 1;
    this.index = new JsonIndex(bytes, from, length, options.maxNodes ?? 1_000_000);
  }

  key(start: number, end: number): void {
    this.keyStart = start;
    this.keyEnd = end;
    this.keyFlags = this.lastEscape > start ? KEY_ESCAPED : 0;
  }

  escape(at: number, isNul: boolean, isLoneSurrogate: boolean): void {
    this.lastEscape = at;
    if (isNul) this.lastNul = at;
    if (isLoneSurrogate) this.lastLoneSurrogate = at;
  }

  scalar(kind: number, start: number, end: number, depth: number): void {
    if (depth > this.indexedDepth) return;
    const escaped = this.lastEscape > start ? ESCAPED : 0;
    this.index.add(start, end, this.keyStart, this.keyEnd, kind | escaped | this.facts(start) | this.keyFlags);
  }

  /** A container starts; `depth` counts those around it. */
  openContainer(kind: number, start: number, depth: number): void {
    if (depth <= this.indexedDepth) {
      const flags = (depth < this.indexedDepth ? HAS_CHILDREN : 0) | this.keyFlags;
      const info = kind | flags | (this.deepest << NESTING_SHIFT);
      const at = this.index.add(start, -1, this.keyStart, this.keyEnd, info);
      this.index.records[at + NEXT] = this.open;
      this.open = at;
      this.deepest = 0;
    }
    if (depth >= this.deepest) this.deepest = depth + 1;
  }

  closeContainer(end: number, depth: number): void {
    if (depth > this.indexedDepth) return;
    const { records, count } = this.index;
    const at = this.open;
    const info = records[at + INFO]!;
    const flags = (info & FLAGS_MASK) | this.facts(records[at + START]!);
    this.open = records[at + NEXT]!;
    records[at + END] = end;
    records[at + NEXT] = count;
    records[at + INFO] = flags | ((this.deepest - depth) << NESTING_SHIFT);
    this.deepest = Math.max(this.deepest, info >>> NESTING_SHIFT);
  }

  private facts(start: number): number {
    return (this.lastNul > start ? HAS_NUL : 0) | (this.lastLoneSurrogate > start ? HAS_LONE_SURROGATE : 0);
  }
}
