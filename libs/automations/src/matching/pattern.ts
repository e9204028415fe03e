import { ValidationError } from '@heddle/http';
import { LRUCache } from 'lru-cache';
import { RE2JS, RE2JSException } from 're2js';

/** An unanchored search, in time linear in the text whatever the pattern is. */
export interface Pattern {
  test(text: string): boolean;
}

/** A pattern takes about 0.1 ms to compile and some kilobytes; 10,000 automations may stand in one scope. */
const compiled = new LRUCache<string, Pattern>({ max: 20_000 });

/** What most people write: plain text, at most anchored. Comparing is a hundred times cheaper. */
const PLAIN = /^(\^?)([\w \-/:@,;=<>~%!&'"`]+)(\$?)$/;

export function patternOf(source: string): Pattern {
  const known = compiled.get(source);
  if (known) return known;
  const pattern = plainPattern(source) ?? RE2JS.compile(source);
  compiled.set(source, pattern);
  return pattern;
}

/** @throws ValidationError where the engine refuses the pattern, and says why */
export function assertPattern(source: string, loc: string[]): void {
  try {
    patternOf(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw ValidationError.at(loc, `is not a regular expression of RE2: ${error.message}`, 'pattern', source);
  }
}

function plainPattern(source: string): Pattern | undefined {
  const [, start, text, end] = PLAIN.exec(source) ?? [];
  if (text === undefined) return undefined;
  if (start && end) return { test: (value) => value === text };
  if (start) return { test: (value) => value.startsWith(text) };
  if (end) return { test: (value) => value.endsWith(text) };
  return { test: (value) => value.includes(text) };
}
