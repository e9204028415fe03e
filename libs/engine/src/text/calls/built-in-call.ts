import type { ParsedToolCall } from './tool-call.js';

const NAME = String.raw`[A-Za-z_]\w*`;
/** A quote within a string stands for itself, as templates write it: the one that ends it has the next argument behind it. */
const string = (quote: string) =>
  String.raw`${quote}(?:[^${quote}\\]|\\.|${quote}(?!\s*(?:\)|,\s*${NAME}\s*=)))*${quote}`;
const NUMBER = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const VALUE = `${string('"')}|${string("'")}|${NUMBER}|True|False|None|true|false|null`;
const ARGUMENT = String.raw`\s*(${NAME})\s*=\s*(${VALUE})\s*`;

const BEGINNING = new RegExp(String.raw`^${NAME}\.call\(`);
const CALL = new RegExp(String.raw`^(${NAME})\.call\((\s*|${ARGUMENT}(?:,${ARGUMENT})*)\)`, 's');
const EACH = new RegExp(ARGUMENT, 'gs');
const WORDS: Record<string, string> = { True: 'true', False: 'false', None: 'null' };

/** Whether a text is, or may become, the beginning of a call such as `brave_search.call(query="...")`. */
export function mayBeBuiltInCall(text: string): boolean {
  if (BEGINNING.test(text)) return true;
  const [name, rest = ''] = [/^\w*/.exec(text)![0], text.slice(/^\w*/.exec(text)![0].length)];
  return (name === '' || new RegExp(`^${NAME}$`).test(name)) && '.call('.startsWith(rest);
}

/** Reads a call as Llama 3 writes those of built-in tools, at the beginning of a text; null where there is no whole one. */
export function readBuiltInCall(text: string): { call: ParsedToolCall; length: number } | null {
  const found = CALL.exec(text);
  if (!found) return null;
  const [all, name, written] = found as unknown as [string, string, string];
  const given = Array.from(written.matchAll(EACH), ([, key, value]) => `${JSON.stringify(key)}: ${json(value!)}`);
  return { call: { name, arguments: `{${given.join(', ')}}` }, length: all.length };
}

/** As JSON: numbers as they are written. */
function json(value: string): string {
  if (!/^["']/.test(value)) return WORDS[value] ?? value;
  return JSON.stringify(value.slice(1, -1).replace(/\\(["'\\])/g, '$1'));
}
