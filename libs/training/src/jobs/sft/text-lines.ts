import { isUtf8 } from 'node:buffer';

export interface TextLine {
  /** From 1. */
  number: number;
  text: string;
  /** The first byte that is not UTF-8, from 1; absent where all are. */
  badByte?: number;
}

/** Longer lines are no example but something else. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

const NEWLINE = 10;

/** Cuts bytes that arrive in pieces into lines of UTF-8, without what ends them. Memory holds one line. */
export class LineSplitter {
  private pieces: Buffer[] = [];
  private held = 0;
  private count = 0;

  /** @throws LineTooLongError */
  *add(chunk: Buffer): Generator<TextLine> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.hold(chunk.subarray(start, end));
      yield this.take();
      start = end + 1;
    }
    this.hold(chunk.subarray(start));
  }

  /** The last line, where nothing ended it. */
  *end(): Generator<TextLine> {
    if (this.held > 0) yield this.take();
  }

  private hold(piece: Buffer): void {
    this.held += piece.length;
    if (this.held > MAX_LINE_BYTES) throw new LineTooLongError(this.count + 1);
    this.pieces.push(piece);
  }

  private take(): TextLine {
    const bytes = this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces);
    this.pieces = [];
    this.held = 0;
    const text = bytes.toString('utf8');
    const line = { number: ++this.count, text: text.replace(/^\uFEFF|\r$/g, '') };
    return isUtf8(bytes) ? line : { ...line, badByte: firstDifference(bytes, Buffer.from(text)) + 1 };
  }
}

/** Bytes that are no character have become another one in the text. */
function firstDifference(bytes: Buffer, again: Buffer): number {
  const at = bytes.findIndex((byte, i) => byte !== again[i]);
  return at < 0 ? bytes.length : at;
}

export class LineTooLongError extends Error {
  constructor(readonly line: number) {
    super(`has more than ${MAX_LINE_BYTES} bytes`);
    this.name = 'LineTooLongError';
  }
}
