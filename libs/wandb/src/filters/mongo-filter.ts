import { ValidationError } from '@heddle/http';
import { type Comparable, compare, sameValue, textPattern } from './mongo-values.js';

/** The values of a row, by name. */
export type Values = (name: string) => unknown;

/** What rows must be, to be in a list. */
export interface Filter {
  test: (values: Values) => boolean;
  /** Of the fields that it looks at. */
  names: ReadonlySet<string>;
}

type Part = (values: Values) => boolean;

type Test = (value: unknown) => boolean;
type Operator = (operand: unknown, loc: string[]) => Test;

const LOC = ['variables', 'filters'];
/** Deeper ones nobody writes. */
const MAX_DEPTH = 20;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list holds what one of its elements is. */
const some =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) ? value.some(test) || test(value) : test(value);
const not =
  (test: Test): Test =>
  (value) =>
    !test(value);

const equals = (operand: unknown): Test => some((value) => sameValue(value, operand));

const compares =
  (holds: (order: number) => boolean): Operator =>
  (operand) =>
    some((value) => {
      const order = compare(value as Comparable, operand as Comparable);
      return order !== null && holds(order);
    });

const listOf = (operand: unknown, loc: string[]): unknown[] => {
  if (Array.isArray(operand)) return operand;
  throw ValidationError.at(loc, 'must be a list', 'filter');
};

const anyOf: Operator = (operand, loc) => {
  const tests = listOf(operand, loc).map(equals);
  return (value) => tests.some((test) => test(value));
};

const OPERATORS: Readonly<Record<string, Operator>> = {
  $eq: equals,
  $ne: (operand) => not(equals(operand)),
  $gt: compares((order) => order > 0),
  $gte: compares((order) => order >= 0),
  $lt: compares((order) => order < 0),
  $lte: compares((order) => order <= 0),
  $in: anyOf,
  $nin: (operand, loc) => not(anyOf(operand, loc)),
  $all: (operand, loc) => {
    const tests = listOf(operand, loc).map(equals);
    return (value) => tests.every((test) => test(value));
  },
  $exists: (operand) => (value) => (value !== undefined) === Boolean(operand),
  $regex: (operand, loc) => some(textPattern(operand, loc)),
  $contains: (operand) => some((value) => typeof value === 'string' && value.includes(String(operand))),
  $not: (operand, loc) => not(conditionOf(operand, loc)),
};

/**
 * Reads a filter in MongoDB's form: fields with values or operators, `$and`, `$or`, `$nor`. A field that a row doesn't have
 * is as null to `$eq` and `$ne`, and passes no other operator.
 * @throws ValidationError that names the operator or the place that can't be read
 */
export function readFilter(text: string | null | undefined): Filter {
  const names = new Set<string>();
  if (text === null || text === undefined || text === '') return { test: () => true, names };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { test: filterOf(json === null ? {} : json, LOC, names), names };
}

function filterOf(filter: unknown, loc: string[], names: Set<string>): Part {
  if (!isRecord(filter)) throw ValidationError.at(loc, 'must be a JSON object', 'filter');
  if (loc.length > MAX_DEPTH) throw ValidationError.at(LOC, `is nested more than ${MAX_DEPTH} levels`, 'filter');
  const parts = Object.entries(filter).map(([name, value]) => partOf(name, value, [...loc, name], names));
  return (values) => parts.every((part) => part(values));
}

function partOf(name: string, value: unknown, loc: string[], names: Set<string>): Part {
  if (name === '$and' || name === '$or' || name === '$nor') {
    const parts = listOf(value, loc).map((part) => filterOf(part, loc, names));
    if (name === '$and') return (values) => parts.every((part) => part(values));
    if (name === '$or') return (values) => parts.some((part) => part(values));
    return (values) => !parts.some((part) => part(values));
  }
  if (name.startsWith('$')) throw ValidationError.at(loc, `The operator ${name} is not known`, 'filter', name);
  names.add(name);
  const test = conditionOf(value, loc);
  return (values) => test(values(name));
}

/** An object whose keys are operators, or the value itself. */
function conditionOf(condition: unknown, loc: string[]): Test {
  const names = isRecord(condition) ? Object.keys(condition) : [];
  if (!names.some((name) => name.startsWith('$'))) return equals(condition);
  const tests = Object.entries(condition as Record<string, unknown>)
    // Belongs to $regex.
    .filter(([name]) => name !== '$options')
    .map(([name, operand]) => {
      const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
      if (!operator) throw ValidationError.at([...loc, name], `The operator ${name} is not known`, 'filter', name);
      return operator(operand, [...loc, name]);
    });
  return (value) => tests.every((test) => test(value));
}
