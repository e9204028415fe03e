import { ValidationError } from '@heddle/http';
import { LRUCache } from 'lru-cache';
import { RE2JS, RE2JSException } from 're2js';
import { requiredLiteral } from './required-literal.js';

/** An unanchored search, in time linear in the text whatever the pattern is. */
export interface Pattern {
  test(text: string): boolean;
}

/** 10,000 automations may stand in one scope. */
const known = new LRUCache<string, Pattern>({ max: 20_000 });

/** What most people write: plain text, at most anchored. Comparing is a hundred times cheaper. */
const PLAIN = /^(\^?)([\w \-/:@,;=<>~%!&'"`]+)(\$?)$/;

export function patternOf(source: string): Pattern {
  const found = known.get(source) ?? plainPattern(source) ?? guardedPattern(source);
  known.set(source, found);
  return found;
}

/** @throws ValidationError where the engine refuses the pattern, and says why */
export function assertPattern(source: string, loc: string[]): void {
  try {
    RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw ValidationError.at(loc, `is not a regular expression of RE2: ${error.message}`, 'pattern', source);
  }
}

/** A text that stands in everything that the pattern finds; '' where there is none to be sure of. */
export const requiredText = (source: string): string => PLAIN.exec(source)?.[2] ?? requiredLiteral(source);

function plainPattern(source: string): Pattern | undefined {
  const [, start, text, end] = PLAIN.exec(source) ?? [];
  if (text === undefined) return undefined;
  if (start && end) return { test: (value) => value === text };
  if (start) return { test: (value) => value.startsWith(text) };
  if (end) return { test: (value) => value.endsWith(text) };
  return { test: (value) => value.includes(text) };
}

/** Compiled when its literal is found for the first time: most are not for as long as the process lives. */
function guardedPattern(source: string): Pattern {
  const literal = requiredLiteral(source);
  let engine: RE2JS | undefined;
  return { test: (value) => value.includes(literal) && (engine ??= RE2JS.compile(source)).test(value) };
}
