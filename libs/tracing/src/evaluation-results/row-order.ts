import { ValidationError } from '@heddle/http';
import type { EvaluationRow } from './evaluation-row.js';
import type { SortTerm } from './evaluation-results.schema.js';
import { type FieldReader, firstValue, numberOf, rowField, textOf, valuesOf } from './row-values.js';

/** What rows are compared by; what is missing goes last, whichever way they are sorted. */
interface Key {
  of: (row: EvaluationRow) => number | string | undefined;
  descending: boolean;
}

/** By the terms, then by digest. @throws ValidationError for fields that rows don't have */
export function sortRows(
  rows: readonly EvaluationRow[],
  terms: readonly SortTerm[],
  evaluations: readonly string[],
): EvaluationRow[] {
  const keys = [
    ...terms.flatMap((term, i) => keysOf(term, evaluations, ['body', 'sort_by', i])),
    { of: ({ digest }: EvaluationRow) => digest, descending: false },
  ];
  return rows
    .map((row) => ({ row, values: keys.map(({ of }) => of(row)) }))
    .sort((a, b) => {
      for (const [i, { descending }] of keys.entries()) {
        const order = compare(a.values[i], b.values[i], descending);
        if (order !== 0) return order;
      }
      return 0;
    })
    .map(({ row }) => row);
}

function keysOf(
  { field: name, direction, evaluation_call_id: evaluation, mode }: SortTerm,
  evaluations: readonly string[],
  loc: (string | number)[],
): Key[] {
  const field = /^(scores|inputs|output)\./.test(name) ? rowField(name) : undefined;
  if (!field)
    throw ValidationError.at([...loc, 'field'], 'must be scores.*, inputs.* or output.*', 'unknown_field', name);
  const descending = direction === 'desc';
  const isScore = name.startsWith('scores.');
  if (mode === 'difference' && !isScore)
    throw ValidationError.at([...loc, 'mode'], 'only scores have a difference', 'unknown_mode');
  if (mode === 'difference' && evaluations.length > 1)
    return [{ of: (row) => difference(row, field, evaluations), descending }];
  if (isScore) return [{ of: (row) => mean(row, field, evaluation), descending }];
  // Numbers by their size, before all other texts.
  const first = (row: EvaluationRow) => firstValue(row, field, evaluation);
  return [
    { of: (row) => numberOf(first(row)), descending },
    { of: (row) => textOf(first(row)), descending },
  ];
}

function mean(row: EvaluationRow, field: FieldReader, evaluation?: string | null): number | undefined {
  const numbers = valuesOf(row, field, evaluation).flatMap((value) => numberOf(value) ?? []);
  return numbers.length > 0 ? numbers.reduce((sum, value) => sum + value, 0) / numbers.length : undefined;
}

/** Between the evaluations that score the row highest and lowest. */
function difference(row: EvaluationRow, field: FieldReader, evaluations: readonly string[]): number | undefined {
  const means = evaluations.flatMap((id) => mean(row, field, id) ?? []);
  return means.length > 0 ? Math.max(...means) - Math.min(...means) : undefined;
}

function compare(a: number | string | undefined, b: number | string | undefined, descending: boolean): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a < b === descending ? 1 : -1;
}
