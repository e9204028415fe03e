import { TemplateError, type TemplateProblem } from './template.errors.js';
import { referenceOf } from './template-reference.js';
import { MAX_PAYLOAD_BYTES, type Placeholder, type Template } from './template.js';

/** Deeper JSON is no honest payload, and overflows receivers' parsers. */
const MAX_DEPTH = 64;

const WHITESPACE = /[ \t\n\r]*/y;
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** Up to what ends a string or means something in one. */
const PLAIN = /[^"\\$\u0000-\u001f]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u([\dA-Fa-f]{4}))/y;
const BRACED = /\$\{((?:[^"\\}\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*)\}/y;
const BARE = /\$([A-Za-z0-9_]+)/y;

const REPLACEMENT = '\\ufffd';

/**
 * Parses a payload once, so that what is rendered later is JSON by construction: values go only where JSON has a value or
 * inside a string. `${name}` is a placeholder everywhere; `$NAME` is one where NAME is the webhook's secret, and any other
 * `$` is itself (`"$5"`, `"$schema"`, `"$$"`). `\u0024` writes a `$` that begins nothing.
 * @param secretName name of the webhook's own secret
 * @throws TemplateError with the position
 */
export function parseTemplate(text: string, secretName: string | null): Template {
  if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) {
    throw new TemplateError('too_large', `The payload is larger than ${MAX_PAYLOAD_BYTES / 1024} KiB`, text, 0);
  }
  // One unit for one: positions stay.
  return new TemplateParser(text.replace(/\p{Cs}/gu, '\ufffd'), secretName).parse();
}

class TemplateParser {
  private readonly parts: (string | Placeholder)[] = [];
  private position = 0;
  /** Where the text begins that is in no part yet. */
  private pending = 0;

  constructor(
    private readonly text: string,
    private readonly secretName: string | null,
  ) {}

  parse(): Template {
    this.value(0);
    this.take(WHITESPACE);
    if (this.position < this.text.length) throw this.error('invalid_json', 'Nothing may follow the JSON value');
    this.flush();
    return { parts: this.parts };
  }

  private value(depth: number): void {
    if (depth > MAX_DEPTH) throw this.error('too_deep', `JSON may be at most ${MAX_DEPTH} levels deep`);
    this.take(WHITESPACE);
    const next = this.text[this.position];
    if (next === '{') this.items('}', () => this.member(depth));
    else if (next === '[') this.items(']', () => this.value(depth + 1));
    else if (next === '"') this.string();
    else if (next === '$') this.unquoted();
    else if (!this.take(LITERAL)) throw this.error('invalid_json', 'A JSON value is expected');
  }

  private member(depth: number): void {
    this.take(WHITESPACE);
    if (this.text[this.position] !== '"') throw this.error('invalid_json', 'A key in double quotes is expected');
    this.string();
    this.take(WHITESPACE);
    if (this.text[this.position] !== ':') throw this.error('invalid_json', "':' is expected");
    this.position++;
    this.value(depth + 1);
  }

  private items(end: '}' | ']', item: () => void): void {
    this.position++;
    this.take(WHITESPACE);
    if (this.text[this.position] === end) return void this.position++;
    for (;;) {
      item();
      this.take(WHITESPACE);
      const next = this.text[this.position];
      if (next !== ',' && next !== end) throw this.error('invalid_json', `',' or '${end}' is expected`);
      this.position++;
      if (next === end) return;
    }
  }

  private string(): void {
    const start = this.position++;
    for (;;) {
      this.take(PLAIN);
      const next = this.text[this.position];
      if (next === '"') return void this.position++;
      else if (next === '\\') this.escape();
      else if (next === '$') this.quoted();
      else if (next === undefined) throw this.error('invalid_json', 'The string has no end', start);
      else throw this.error('invalid_json', 'Control characters must be escaped');
    }
  }

  private escape(): void {
    const start = this.position;
    const [escape, hex] = this.take(ESCAPE) ?? [];
    if (escape === undefined) throw this.error('invalid_json', 'This escape is none of JSON');
    const unit = parseInt(hex ?? '0', 16);
    if (unit < 0xd800 || unit > 0xdfff) return;
    const low = parseInt((unit < 0xdc00 ? this.take(ESCAPE)?.[1] : undefined) ?? '0', 16);
    if (low >= 0xdc00 && low <= 0xdfff) return;
    // Half a pair: what follows it, if anything was taken, is looked at again.
    this.flush(start);
    this.parts.push(REPLACEMENT);
    this.position = this.pending = start + escape.length;
  }

  private quoted(): void {
    const start = this.position;
    if (this.text[start + 1] !== '{') {
      const [bare, name] = this.take(BARE) ?? [];
      if (name === this.secretName && bare !== undefined) this.placeholder(name, true, start);
      else this.position = start + (bare?.length ?? 1);
      return;
    }
    const [, escaped] = this.take(BRACED) ?? [];
    if (escaped === undefined) throw this.error('unclosed_placeholder', "'${' has no '}' in this string");
    this.placeholder(JSON.parse(`"${escaped}"`) as string, true, start);
  }

  private unquoted(): void {
    const start = this.position;
    const [, name] = this.take(BRACED) ?? this.take(BARE) ?? [];
    if (name === undefined) throw this.error('unclosed_placeholder', "'$' begins no placeholder here");
    if (this.text[start + 1] !== '{' && name !== this.secretName) {
      throw this.error(
        'unknown_variable',
        `'$${name}' is not the webhook's secret; variables are written \${${name}}`,
        start,
      );
    }
    this.placeholder(name, false, start);
  }

  private placeholder(name: string, quoted: boolean, start: number): void {
    const reference = referenceOf(name, this.secretName);
    if (!reference) throw this.error('unknown_variable', `There is no variable '\${${name}}'`, start);
    const end = this.position;
    this.flush(start);
    this.parts.push({ reference, quoted });
    this.position = this.pending = end;
  }

  private flush(end = this.text.length): void {
    if (end > this.pending) this.parts.push(this.text.slice(this.pending, end));
    this.pending = end;
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.text);
    if (match) this.position += match[0].length;
    return match;
  }

  private error(problem: TemplateProblem, reason: string, offset = this.position): TemplateError {
    return new TemplateError(problem, reason, this.text, offset);
  }
}
