import type { JsonNode } from '@heddle/json';
import { splitPath } from '../query/field-path.js';
import type { EvaluationRow } from './evaluation-row.js';
import type { Trial } from './evaluation-trial.js';

/** What conditions and sorts look at; undefined for what is missing or null. Lists and objects as text, with their size. */
export type RowValue = string | number | boolean | { text: string; size: number } | undefined;

/** Reads a value out of each trial. */
export type FieldReader = (row: EvaluationRow, trial: Trial) => RowValue;

const PREFIX = /^(scores|inputs|output)\.(.+)$/s;

/** A field by its name; undefined for one that rows don't have. */
export function rowField(name: string): FieldReader | undefined {
  if (name === 'row_digest') return ({ digest }) => digest;
  const [, place, rest] = PREFIX.exec(name) ?? [];
  if (place === undefined || rest === undefined) return undefined;
  const path = splitPath(rest);
  return (row, { call }) => {
    if (place === 'inputs') return valueAt(row.resolved ?? row.example, path);
    return valueAt(place === 'scores' ? call.get('output')?.get('scores') : call.get('output'), path);
  };
}

/** Of a row's trials, the first that has the field. @param evaluation whose trials alone count */
export function firstValue(row: EvaluationRow, field: FieldReader, evaluation?: string | null): RowValue {
  for (const value of valuesOf(row, field, evaluation)) if (value !== undefined) return value;
  return undefined;
}

export const valuesOf = (row: EvaluationRow, field: FieldReader, evaluation?: string | null): RowValue[] =>
  row.trials
    .filter(({ evaluationId }) => evaluation == null || evaluationId === evaluation)
    .map((trial) => field(row, trial));

const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

/** Booleans are 1 and 0, as scores are averaged; undefined for what is no number. */
export function numberOf(value: RowValue): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined;
}

export function textOf(value: RowValue): string | undefined {
  return typeof value === 'object' ? value.text : value === undefined ? undefined : String(value);
}

function valueAt(document: JsonNode | undefined, path: readonly string[]): RowValue {
  let node = document;
  for (const part of path) node = node?.kind === 'array' ? elementOf(node, part) : node?.get(part);
  switch (node?.kind) {
    case 'string':
      return node.string();
    case 'number':
      return node.number();
    case 'boolean':
      return node.boolean();
    case 'object':
      return { text: JSON.stringify(node.value()), size: node.entries().size };
    case 'array':
      return { text: JSON.stringify(node.value()), size: [...node.items()].length };
    default:
      return undefined;
  }
}

const elementOf = (list: JsonNode, part: string): JsonNode | undefined =>
  /^\d{1,9}$/.test(part) ? [...list.items()][Number(part)] : undefined;
