import { BRACE_CLOSE, BRACE_OPEN, isWhitespace } from './json-bytes.js';

/** JSON text that is written as it is, unparsed. */
export class RawJson {
  constructor(readonly text: Buffer | string) {}

  /** Inside a plain value the text would have to be parsed, and would lose what this library is there to keep. */
  toJSON(): never {
    throw new TypeError('Raw JSON must be a member or an element of its own, not lie within a plain value');
  }
}

export const raw = (text: Buffer | string): RawJson => new RawJson(text);

/** `[name, value]`: raw JSON, or anything that JSON.stringify takes (a bigint keeps its digits, undefined is left out). */
export type JsonMember = readonly [key: string, value: unknown];

export function jsonObject(members: Iterable<JsonMember>): Buffer {
  const parts = new TextParts();
  let separator = '{';
  for (const [key, value] of members) {
    if (value === undefined) continue;
    parts.add(`${separator}${JSON.stringify(key)}:`);
    parts.addValue(value);
    separator = ',';
  }
  parts.add(separator === '{' ? '{}' : '}');
  return parts.join();
}

export function jsonArray(items: Iterable<unknown>): Buffer {
  const parts = new TextParts();
  let separator = '[';
  for (const item of items) {
    parts.add(separator);
    parts.addValue(item);
    separator = ',';
  }
  parts.add(separator === '[' ? '[]' : ']');
  return parts.join();
}

/**
 * Adds a member at the end of an object's text without parsing it. If the key is there already, readers take the last.
 * @throws TypeError if the text doesn't end like an object
 */
export function appendMember(object: Buffer, key: string, value: unknown): Buffer {
  const brace = lastNonBlank(object, object.length);
  const before = lastNonBlank(object, brace);
  if (object[brace] !== BRACE_CLOSE || before < 0) throw new TypeError('Not the text of a JSON object');
  const parts = new TextParts();
  parts.add(object.subarray(0, before + 1));
  parts.add(`${object[before] === BRACE_OPEN ? '' : ','}${JSON.stringify(key)}:`);
  parts.addValue(value);
  parts.add(object.subarray(brace));
  return parts.join();
}

function lastNonBlank(bytes: Buffer, end: number): number {
  let at = end - 1;
  while (at >= 0 && isWhitespace(bytes[at]!)) at--;
  return at;
}

/** Strings and Buffers that become one Buffer, which is allocated once; neighbouring strings are encoded together. */
class TextParts {
  private readonly parts: (Buffer | string)[] = [];
  private text = '';

  add(part: Buffer | string): void {
    if (typeof part === 'string') {
      this.text += part;
    } else {
      this.parts.push(this.text, part);
      this.text = '';
    }
  }

  addValue(value: unknown): void {
    if (value instanceof RawJson) this.add(value.text);
    else if (typeof value === 'bigint') this.add(value.toString());
    else this.add(JSON.stringify(value) ?? 'null');
  }

  join(): Buffer {
    this.parts.push(this.text);
    const lengths = this.parts.map((part) => (typeof part === 'string' ? Buffer.byteLength(part) : part.length));
    const joined = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0));
    let at = 0;
    this.parts.forEach((part, i) => {
      if (typeof part === 'string') joined.write(part, at);
      else joined.set(part, at);
      at += lengths[i]!;
    });
    return joined;
  }
}
