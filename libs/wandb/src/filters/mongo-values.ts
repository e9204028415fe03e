import { ValidationError } from '@heddle/http';
import { RE2JS, RE2JSException } from 're2js';

export type Comparable = string | number | boolean | Date;

/** As values are ordered in lists: numbers, then texts, then what is true or false, then everything else. */
const RANK: Readonly<Record<string, number>> = { number: 0, string: 1, boolean: 2 };

/** Texts that are compared with times are times, in UTC where they say nothing else. */
function timeOf(value: unknown): number | null {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  const time = Date.parse(/[Zz]$|[+-]\d\d:?\d\d$|^\d{4}-\d\d-\d\d$/.test(value) ? value : `${value}Z`);
  return Number.isNaN(time) ? null : time;
}

/** Below, at or above zero; null for values of different kinds, and of kinds without an order. */
export function compare(a: unknown, b: unknown): number | null {
  if (a instanceof Date || b instanceof Date) {
    const [left, right] = [timeOf(a), timeOf(b)];
    return left === null || right === null ? null : left - right;
  }
  if (typeof a !== typeof b || !((typeof a) in RANK)) return null;
  if (a === b) return 0;
  if (typeof a === 'number' && (Number.isNaN(a) || Number.isNaN(b))) return null;
  return (a as Comparable) < (b as Comparable) ? -1 : 1;
}

/** A total order, in which what has none comes last. */
export function orderOf(a: unknown, b: unknown): number {
  const order = compare(a, b);
  if (order !== null) return order;
  return rankOf(a) - rankOf(b);
}

/** Of what has no place among others, and comes last whichever way a list goes: NaN, then what is missing. */
const NOT_A_NUMBER = 4;
const MISSING = 5;

function rankOf(value: unknown): number {
  if (value === undefined || value === null) return MISSING;
  return Number.isNaN(value) ? NOT_A_NUMBER : (RANK[typeof value] ?? 3);
}

export const comesLast = (value: unknown): boolean => rankOf(value) >= NOT_A_NUMBER;

/** What is missing is as null. A number that isn't finite is asked for by its word. */
export function sameValue(value: unknown, operand: unknown): boolean {
  if (value === undefined || value === null) return operand === null || operand === undefined;
  if (typeof value === 'object' && !(value instanceof Date)) return JSON.stringify(value) === JSON.stringify(operand);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value) === operand;
  return compare(value, operand) === 0;
}

/** Whether a text holds what the pattern finds, in time linear in the text. @throws ValidationError */
export function textPattern(pattern: unknown, loc: string[]): (value: unknown) => boolean {
  if (typeof pattern !== 'string') throw ValidationError.at(loc, 'must be a text', 'pattern');
  let engine: RE2JS;
  try {
    engine = RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw ValidationError.at(loc, `is not a regular expression of RE2: ${error.message}`, 'pattern', pattern);
  }
  return (value) => typeof value === 'string' && engine.test(value);
}
