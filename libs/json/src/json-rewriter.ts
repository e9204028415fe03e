import {
  BACKSLASH,
  BRACE_CLOSE,
  BRACE_OPEN,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  MINUS,
  QUOTE,
  literal,
} from './json-bytes.js';
import { ByteSink } from './byte-sink.js';
import { escapedUnit, isSurrogate, skipPlain, startsPair } from './json-strings.js';
import type { SlicedWork } from './sliced-work.js';

export interface RewriteRules {
  /** Replace \u0000 and lone surrogate escapes by \ufffd. */
  escapes?: boolean;
  /** Replace arrays and objects that are nested deeper than this by null. */
  maxNesting?: number;
}

const REPLACEMENT = Buffer.from('\\ufffd');

/** Copies a valid JSON text, with NaN, Infinity and -Infinity replaced by null, and whatever else the rules say. */
export class JsonRewriter implements SlicedWork<Buffer> {
  private readonly sink: ByteSink;
  private readonly maxNesting: number;
  private copied: number;
  private depth = 0;
  private inString = false;

  constructor(
    private readonly bytes: Buffer,
    private readonly rules: RewriteRules = {},
    private at = 0,
    private readonly end = bytes.length,
  ) {
    this.copied = at;
    this.maxNesting = rules.maxNesting ?? Infinity;
    // Nothing grows more than `[]`, which may become `null`.
    this.sink = new ByteSink(2 * (end - at));
  }

  step(budget: number): boolean {
    const { bytes, end } = this;
    const limit = Math.min(end, this.at + budget);
    let at = this.at;
    while (at < limit) {
      if (this.inString) {
        at = skipPlain(bytes, at, limit);
        if (at < limit) at = this.stringStop(at);
      } else {
        at = this.token(at);
      }
    }
    this.at = at;
    this.copyUpTo(at);
    return at >= end;
  }

  result(): Buffer {
    return this.sink.result();
  }

  private stringStop(at: number): number {
    const { bytes, end } = this;
    if (bytes[at] !== BACKSLASH) {
      this.inString = false;
      return at + 1;
    }
    const unit = escapedUnit(bytes, at, end);
    if (unit < 0) return at + 2;
    if (isSurrogate(unit) && startsPair(bytes, at, end, unit)) return at + 12;
    if (this.rules.escapes && (unit === 0 || isSurrogate(unit))) return this.replace(at, 6, REPLACEMENT);
    return at + 6;
  }

  private token(at: number): number {
    switch (this.bytes[at]) {
      case QUOTE:
        this.inString = true;
        return at + 1;
      case BRACE_OPEN:
      case BRACKET_OPEN:
        // The first bracket that is too deep becomes null, and nothing is copied until its partner has passed.
        if (this.depth === this.maxNesting) this.replace(at, 0, literal.null);
        this.depth++;
        return at + 1;
      case BRACE_CLOSE:
      case BRACKET_CLOSE:
        if (--this.depth === this.maxNesting) this.copied = at + 1;
        return at + 1;
      case MINUS:
        return this.bytes[at + 1] === literal.infinity[0] ? this.replace(at, 9, literal.null) : at + 1;
      case literal.nan[0]:
        return this.replace(at, 3, literal.null);
      case literal.infinity[0]:
        return this.replace(at, 8, literal.null);
      default:
        return at + 1;
    }
  }

  private replace(at: number, length: number, by: Buffer): number {
    this.copyUpTo(at);
    if (this.depth <= this.maxNesting) this.sink.write(by);
    this.copied = at + length;
    return at + length;
  }

  private copyUpTo(at: number): void {
    if (this.depth <= this.maxNesting) this.sink.write(this.bytes, this.copied, at);
    this.copied = at;
  }
}
