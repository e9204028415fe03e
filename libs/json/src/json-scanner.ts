import { BACKSLASH, BRACE_CLOSE, BRACE_OPEN, BRACKET_CLOSE, BRACKET_OPEN, COLON, COMMA } from './json-bytes.js';
import { isWhitespace, literal, matchLength, MINUS, QUOTE } from './json-bytes.js';
import { ARRAY, BOOLEAN, type JsonIndex, MAX_NESTING, NULL, NUMBER, OBJECT, STRING } from './json-index.js';
import { JsonIndexer, type IndexerOptions } from './json-indexer.js';
import { isWholeNumber, NUMBER_START, nextNumberState } from './json-numbers.js';
import { escapedUnit, INVALID_ESCAPE, isSurrogate, SHORT_ESCAPE, skipPlain, startsPair } from './json-strings.js';
import { JsonLimitError, JsonSyntaxError } from './json.errors.js';
import { startsReference } from './reference-prefixes.js';
import type { SlicedWork } from './sliced-work.js';

/** What NaN and the infinities are read as, if at all. */
export type NonFinite = 'null' | 'number' | 'refused';

export interface ScanOptions extends IndexerOptions {
  /** Nesting beyond this is a JsonLimitError. Default 100,000. */
  maxDepth?: number;
  /** The bare tokens NaN, Infinity and -Infinity, which Python's json writes and JSON has not. Default: 'null'. */
  nonFinite?: NonFinite;
}

const VALUE = 0;
const VALUE_OR_END = 1;
const KEY = 2;
const KEY_OR_END = 3;
const AFTER_KEY = 4;
const AFTER_VALUE = 5;
const DONE = 6;
const IN_STRING = 7;
const IN_KEY = 8;
const IN_NUMBER = 9;

/**
 * One pass over the bytes that checks the whole grammar and has the upper levels indexed. All state is in fields,
 * nesting is a counter and a stack of kinds: it stops at any byte, inside any token, and no depth overflows anything.
 */
export class JsonScanner implements SlicedWork<JsonIndex> {
  private readonly indexer: JsonIndexer;
  private readonly maxDepth: number;
  private readonly nonFiniteIs: NonFinite;
  private state = VALUE;
  private kinds = new Uint8Array(256);
  private depth = 0;
  private inObject = false;
  private tokenStart = 0;
  private numberState = NUMBER_START;

  constructor(
    private readonly bytes: Buffer,
    options: ScanOptions = {},
    private at = 0,
    private readonly end = bytes.length,
  ) {
    this.maxDepth = Math.min(options.maxDepth ?? 100_000, MAX_NESTING);
    this.nonFiniteIs = options.nonFinite ?? 'null';
    this.indexer = new JsonIndexer(bytes, at, end - at, options);
    if (at === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.at = 3;
  }

  result(): JsonIndex {
    return this.indexer.index;
  }

  step(budget: number): boolean {
    const { bytes, end } = this;
    const limit = Math.min(end, this.at + budget);
    let at = this.at;
    while (at < limit) {
      const state = this.state;
      if (state === IN_STRING || state === IN_KEY) {
        at = skipPlain(bytes, at, limit);
        if (at < limit) at = this.stringStop(at);
      } else if (state === IN_NUMBER) {
        at = this.number(at, limit);
      } else if (isWhitespace(bytes[at]!)) {
        at++;
      } else {
        at = this.structure(at, bytes[at]!);
      }
    }
    this.at = at;
    if (at < end) return false;
    if (this.state === IN_NUMBER && this.depth === 0 && isWholeNumber(this.numberState)) this.endScalar(NUMBER, end);
    if (this.state !== DONE) throw new JsonSyntaxError('Unexpected end of JSON input', end);
    return true;
  }

  private structure(at: number, byte: number): number {
    switch (this.state) {
      case AFTER_VALUE:
        if (byte === COMMA) {
          this.state = this.inObject ? KEY : VALUE;
          return at + 1;
        }
        if (byte === (this.inObject ? BRACE_CLOSE : BRACKET_CLOSE)) return this.closeContainer(at + 1);
        throw new JsonSyntaxError(`Expected "," or "${this.inObject ? '}' : ']'}"`, at);
      case KEY_OR_END:
        return byte === BRACE_CLOSE ? this.closeContainer(at + 1) : this.startKey(at, byte);
      case KEY:
        return this.startKey(at, byte);
      case AFTER_KEY:
        if (byte !== COLON) throw new JsonSyntaxError('Expected ":"', at);
        this.state = VALUE;
        return at + 1;
      case VALUE_OR_END:
        return byte === BRACKET_CLOSE ? this.closeContainer(at + 1) : this.value(at, byte);
      case VALUE:
        return this.value(at, byte);
      default:
        throw new JsonSyntaxError('Unexpected data after the JSON value', at);
    }
  }

  private startKey(at: number, byte: number): number {
    if (byte !== QUOTE) throw new JsonSyntaxError('Expected a property name in double quotes', at);
    this.tokenStart = at;
    this.state = IN_KEY;
    return at + 1;
  }

  private value(at: number, byte: number): number {
    this.tokenStart = at;
    if (byte === QUOTE) {
      this.state = IN_STRING;
      if (at + 1 < this.end && startsReference(this.bytes, at + 1)) this.indexer.index.addReference(at);
      return at + 1;
    }
    if (byte === BRACE_OPEN) return this.openContainer(at, OBJECT);
    if (byte === BRACKET_OPEN) return this.openContainer(at, ARRAY);
    if (byte === MINUS && this.bytes[at + 1] === literal.infinity[0]) return this.nonFinite(at, literal.minusInfinity);
    this.numberState = nextNumberState(NUMBER_START, byte);
    if (this.numberState !== 0) {
      this.state = IN_NUMBER;
      return at + 1;
    }
    if (byte === literal.true[0]) return this.literal(at, BOOLEAN, literal.true);
    if (byte === literal.false[0]) return this.literal(at, BOOLEAN, literal.false);
    if (byte === literal.null[0]) return this.literal(at, NULL, literal.null);
    if (byte === literal.nan[0]) return this.nonFinite(at, literal.nan);
    if (byte === literal.infinity[0]) return this.nonFinite(at, literal.infinity);
    throw new JsonSyntaxError('Expected a JSON value', at);
  }

  private literal(at: number, kind: number, token: Uint8Array): number {
    const length = matchLength(this.bytes, at, this.end, token);
    if (at + length === this.end && length < token.length) return this.end; // step() reports the unexpected end
    if (length < token.length) throw new JsonSyntaxError('Expected a JSON value', at + length);
    return this.endScalar(kind, at + length);
  }

  private nonFinite(at: number, token: Uint8Array): number {
    if (this.nonFiniteIs === 'refused') throw new JsonSyntaxError('JSON has neither NaN nor Infinity', at);
    if (this.nonFiniteIs === 'number') return this.literal(at, NUMBER, token);
    this.indexer.index.hasNonFinite = true;
    return this.literal(at, NULL, token);
  }

  private number(at: number, limit: number): number {
    const { bytes } = this;
    let state = this.numberState;
    for (; at < limit; at++) {
      const next = nextNumberState(state, bytes[at]!);
      if (next === 0) {
        if (!isWholeNumber(state)) throw new JsonSyntaxError('Invalid number', at);
        return this.endScalar(NUMBER, at);
      }
      state = next;
    }
    this.numberState = state;
    return at;
  }

  /** A quote ends the string, a backslash starts an escape, and nothing else stops one legally. */
  private stringStop(at: number): number {
    const byte = this.bytes[at];
    if (byte === BACKSLASH) return this.escape(at);
    if (byte !== QUOTE) throw new JsonSyntaxError('Unescaped control character in a string', at);
    if (this.state === IN_STRING) return this.endScalar(STRING, at + 1);
    this.indexer.key(this.tokenStart, at + 1);
    this.state = AFTER_KEY;
    return at + 1;
  }

  private escape(at: number): number {
    const { bytes, end } = this;
    const unit = escapedUnit(bytes, at, end);
    if (unit === INVALID_ESCAPE) throw new JsonSyntaxError('Invalid or incomplete escape in a string', at);
    const isPair = isSurrogate(unit) && startsPair(bytes, at, end, unit);
    this.indexer.escape(at, unit === 0, isSurrogate(unit) && !isPair);
    if (unit === SHORT_ESCAPE) return at + 2;
    return isPair ? at + 12 : at + 6;
  }

  private endScalar(kind: number, end: number): number {
    this.indexer.scalar(kind, this.tokenStart, end, this.depth);
    this.state = this.depth === 0 ? DONE : AFTER_VALUE;
    return end;
  }

  private openContainer(at: number, kind: number): number {
    const depth = this.depth++;
    if (depth === this.maxDepth) throw new JsonLimitError(`Nested deeper than ${depth}`, at);
    this.indexer.openContainer(kind, at, depth);
    if (depth === this.kinds.length) this.growKinds();
    this.kinds[depth] = kind;
    this.inObject = kind === OBJECT;
    this.state = kind === OBJECT ? KEY_OR_END : VALUE_OR_END;
    return at + 1;
  }

  private closeContainer(end: number): number {
    const depth = --this.depth;
    this.indexer.closeContainer(end, depth);
    this.inObject = depth > 0 && this.kinds[depth - 1] === OBJECT;
    this.state = depth === 0 ? DONE : AFTER_VALUE;
    return end;
  }

  private growKinds(): void {
    const wider = new Uint8Array(this.kinds.length * 2);
    wider.set(this.kinds);
    this.kinds = wider;
  }
}
