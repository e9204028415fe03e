import { encodeText } from '@heddle/json';
import { type QuerySql, numberOf, searchableText } from './query-sql.js';
import { timeLiteral } from './time-literal.js';
import { indexedText } from '../values/indexed-text.js';

export const VALUE_TYPES = ['number', 'string', 'boolean', 'time'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** How a place keeps its strings, so that a literal can be written alike: the name of the function that made them. */
export type TextForm = 'indexedText' | 'encodeText' | 'searchableText';
const FORMS: { readonly [F in TextForm]: (text: string) => string } = { indexedText, encodeText, searchableText };

/** One side of a comparison. A view is SQL that is null where the value isn't of that type; no view: it never is. */
export interface Operand {
  readonly views: { readonly [T in ValueType]?: (form: TextForm) => string };
  /** Values of any type as one, which is how they are compared with a literal of it; null where they can't be. */
  readonly coerced?: { readonly [T in Literal['type']]?: string };
  readonly form: TextForm;
  /** SQL that is never null: whether the value is missing or JSON null. */
  readonly isNull: string;
  /** Any value as text; objects and arrays as their JSON. */
  readonly text: (form: TextForm) => string;
  readonly literal?: Literal;
  /** Of a call, there are any number of these; views and text are of one of them. `isNull`: there is none, or all are null. */
  readonly each?: EachOf;
}

/** Rows of which a condition asks whether it is true of any. */
export interface EachOf {
  /** SQL: true if the condition is true of a row, null if there is none or it's unknown of all, else false. */
  any(condition: string): string;
  /** SQL: null in all rows, or there are none. */
  allNull(value: string): string;
  /** As CallQuerySql.derived, for each row. */
  derived(expression: string): string;
}

/** A condition on what these operands say, of which some may stand for many rows. */
export const ofAny = (condition: string, ...operands: Operand[]): string =>
  operands.reduce((inner, { each }) => (each ? each.any(inner) : inner), condition);

/** A string as places of this form keep it. */
export const inForm = (text: string, form: TextForm): string => FORMS[form](text);

export type Literal =
  { type: 'number'; digits: string } | { type: 'string' | 'boolean'; value: string } | { type: 'null' };

/** A view that is the same in any form. */
export const constant = (sql: string) => (): string => sql;

export const stringOperand = (sql: string, form: TextForm): Operand => ({
  views: { string: constant(sql) },
  form,
  isNull: `${sql} IS NULL`,
  text: constant(sql),
});

export const numberOperand = (sql: string): Operand => ({
  views: { number: constant(sql) },
  form: 'searchableText',
  isNull: `${sql} IS NULL`,
  text: constant(`(${sql})::text`),
});

export const booleanOperand = (sql: string): Operand => ({
  views: { boolean: constant(sql) },
  form: 'searchableText',
  isNull: `${sql} IS NULL`,
  text: constant(`(${sql})::text`),
});

/** The operand as a value of each row, with the null test that goes with it. */
const inEach = (operand: Operand, value: string, each: EachOf | undefined): Operand =>
  each ? { ...operand, each, isNull: each.allNull(value) } : operand;

export function literalOperand(literal: Literal, sql: QuerySql, loc: (string | number)[]): Operand {
  if (literal.type === 'null')
    return { views: {}, form: 'searchableText', isNull: 'true', text: () => 'NULL::text', literal };
  const value = literal.type === 'number' ? literal.digits : literal.value;
  const text = (form: TextForm): string => sql.bind(inForm(value, form), 'text');
  const time = (): string => timeLiteral(value, sql, loc);
  const views: Operand['views'] = {
    number: { number: () => sql.bind(value, 'numeric'), time },
    string: { string: text, time },
    boolean: { boolean: () => sql.bind(value, 'boolean') },
  }[literal.type];
  return { views, form: 'searchableText', isNull: 'false', text, literal };
}

/** `$size`: characters of a string, elements of a list, members of an object; null for anything else. */
export function sizeOperand(input: Operand, sql: QuerySql): Operand {
  const text = input.text('searchableText');
  const string = input.views.string?.(input.form);
  const json = `WHEN left(${text}, 1) = '[' THEN json_array_length((${text})::json)
    WHEN left(${text}, 1) = '{' THEN (SELECT count(*) FROM json_object_keys((${text})::json))`;
  const value = (input.each ?? sql).derived(
    `(CASE ${string ? `WHEN (${string}) IS NOT NULL THEN char_length(${string})` : ''} ${input.coerced ? json : 'WHEN false THEN 0'} END)::numeric`,
  );
  return inEach(numberOperand(value), value, input.each);
}

/** `$convert`. What can't be converted is null. */
export function convertOperand(input: Operand, to: string, sql: QuerySql): Operand | undefined {
  // Worked out only where used: a parameter that no SQL mentions is an error.
  const number = (): string => asNumber(input);
  const { each } = input;
  const made = (operand: (value: string) => Operand, expression: string): Operand => {
    const value = (each ?? sql).derived(expression);
    return inEach(operand(value), value, each);
  };
  switch (to) {
    case 'string':
      return made((value) => stringOperand(value, input.form), input.text(input.form));
    case 'double':
      return made(numberOperand, number());
    case 'int':
      return made(numberOperand, `trunc(${number()})`);
    case 'bool':
      return made(booleanOperand, asBoolean(input, number()));
    case 'exists':
      return booleanOperand(sql.derived(`NOT (${input.isNull})`));
    default:
      return undefined;
  }
}

function asNumber({ views, form }: Operand): string {
  return coalesce([
    views.number?.('searchableText'),
    views.boolean && `(${views.boolean('searchableText')})::int::numeric`,
    // A literal has a time view only for the sake of comparisons.
    views.time && !views.number && !views.string && `extract(epoch FROM ${views.time('searchableText')})`,
    views.string && numberOf(`(${views.string(form)})`),
  ]);
}

function asBoolean({ views, form }: Operand, number: string): string {
  const text = views.string && `lower(${views.string(form)})`;
  return coalesce([
    views.boolean?.('searchableText'),
    text && `CASE ${text} WHEN 'true' THEN true WHEN 'false' THEN false END`,
    `(${number}) <> 0`,
  ]);
}

/** A literal null has no view at all. */
const coalesce = (parts: (string | false | undefined)[]): string => {
  const present = parts.filter((part) => typeof part === 'string');
  return present.length > 0 ? `COALESCE(${present.join(', ')})` : 'NULL::numeric';
};
