import type { QuerySql } from './query-sql.js';
import { inForm, type Literal, literalOperand, ofAny, type Operand, VALUE_TYPES, type ValueType } from './operand.js';

export type Comparator = '=' | '>' | '>=' | '<' | '<=';

/**
 * Numbers are compared as numbers, strings by code point, false before true, times as times. With a literal, a value in a
 * payload is compared as one of the literal's type, if it can be one: "5" equals 5. Of other different types, nothing is
 * equal, less or greater. The result is null where a value is missing or of another type, which is unknown and counts as
 * false.
 */
export function compare(left: Operand, comparator: Comparator, right: Operand): string {
  if (comparator === '=') return equals(left, right);
  return anyOf(sharedTypes(left, right).map((type) => pair(type, left, comparator, right)));
}

function equals(left: Operand, right: Operand): string {
  if (right.literal?.type === 'null') return left.isNull;
  if (left.literal?.type === 'null') return right.isNull;
  const pairs = sharedTypes(left, right).map((type) => pair(type, left, '=', right));
  // Both fields: a missing one equals a missing one.
  if (!left.literal && !right.literal) pairs.push(`(${left.isNull} AND ${right.isNull})`);
  // The SDKs write "x exists" as not (x = ""), so what is missing equals "", too.
  if (isEmptyText(right.literal)) pairs.push(left.isNull);
  if (isEmptyText(left.literal)) pairs.push(right.isNull);
  return anyOf(pairs);
}

/** `$in`: one array parameter for each type of literal. */
export function isIn(
  left: Operand,
  literals: readonly Literal[],
  others: readonly Operand[],
  sql: QuerySql,
  loc: (string | number)[],
): string {
  if (left.views.time) others = [...others, ...literals.map((literal) => literalOperand(literal, sql, loc))];
  const strings = literals.flatMap((literal) => (literal.type === 'string' ? [literal.value] : []));
  const numbers = literals.flatMap((literal) => (literal.type === 'number' ? [literal.digits] : []));
  const booleans = literals.flatMap((literal) => (literal.type === 'boolean' ? [literal.value] : []));
  const { string, number, boolean } = left.coerced ? coercedViews(left.coerced) : left.views;
  const parts = others.map((other) => equals(left, other));
  const any = (condition: string): string => ofAny(condition, left);
  if (string && strings.length > 0) {
    const wanted = sql.bind(
      strings.map((text) => inForm(text, left.form)),
      'text[]',
    );
    const found = any(`${collated(string(left.form))} = ANY(${wanted})`);
    parts.push(isPayload(left) ? `COALESCE(${found}, false)` : found);
  }
  if (number && numbers.length > 0) parts.push(any(`${number(left.form)} = ANY(${sql.bind(numbers, 'numeric[]')})`));
  if (boolean && booleans.length > 0)
    parts.push(any(`${boolean(left.form)} = ANY(${sql.bind(booleans, 'boolean[]')})`));
  if (literals.some((literal) => literal.type === 'null' || isEmptyText(literal))) parts.push(left.isNull);
  return anyOf(parts);
}

/** `$contains`: both sides as text, without wildcards. */
export function contains(input: Operand, substring: Operand, ignoreCase: boolean): string {
  const form = input.form === 'indexedText' ? 'encodeText' : input.form;
  const fold = (sql: string): string => (ignoreCase ? `lower((${sql}) COLLATE "default")` : `(${sql}) COLLATE "C"`);
  const text = isPayload(input) ? `COALESCE(${input.text(form)}, '')` : input.text(form);
  const found = ofAny(`strpos(${fold(text)}, ${fold(substring.text(form))}) > 0`, input, substring);
  return input.each ? `COALESCE(${found}, false)` : found;
}

/** Literals have a time view only to be compared with the time of a call. */
function sharedTypes(left: Operand, right: Operand): ValueType[] {
  const [a, b] = [viewsFor(left, right), viewsFor(right, left)];
  const shared = VALUE_TYPES.filter((type) => a[type] && b[type]);
  return left.literal && right.literal ? shared.filter((type) => type !== 'time') : shared;
}

function pair(type: ValueType, left: Operand, comparator: Comparator, right: Operand): string {
  const a = viewsFor(left, right)[type]!(right.form);
  const b = viewsFor(right, left)[type]!(left.form);
  if (type !== 'string') return ofAny(`${a} ${comparator} ${b}`, left, right);
  const comparison = ofAny(`${collated(a)} ${comparator} ${collated(b)}`, left, right);
  return isPayload(left) || isPayload(right) ? `COALESCE(${comparison}, false)` : comparison;
}

const viewsFor = ({ views, coerced }: Operand, { literal }: Operand): Operand['views'] =>
  coerced && literal ? coercedViews({ [literal.type]: coerced[literal.type] }) : views;

const coercedViews = (coerced: NonNullable<Operand['coerced']>): Operand['views'] =>
  Object.fromEntries(Object.entries(coerced).map(([type, sql]) => [type, sql === undefined ? undefined : () => sql]));

/** A value of a payload or of feedback, of which what is missing is the empty text: comparing it with a text is known. */
const isPayload = ({ form, literal, each }: Operand): boolean =>
  each !== undefined || (form === 'searchableText' && !literal);

const collated = (sql: string): string => `(${sql}) COLLATE "C"`;
const isEmptyText = (literal?: Literal): boolean => literal?.type === 'string' && literal.value === '';
const anyOf = (conditions: string[]): string => (conditions.length > 0 ? `(${conditions.join(' OR ')})` : 'false');
