import { ValidationError } from '@heddle/http';
import { type JsonNode, WorkTurns } from '@heddle/json';
import { MAX_FILTERS } from './evaluation-results.schema.js';
import type { EvaluationRow } from './evaluation-row.js';
import { type RowCondition, rowCondition } from './row-condition.js';
import { firstValue } from './row-values.js';

export interface RowFilter {
  /** Whose trials alone count. */
  evaluation: string | undefined;
  holds: RowCondition;
}

/** A body's `filters`. @throws ValidationError at the place that is none */
export function readFilters(body: JsonNode): RowFilter[] {
  const list = body.get('filters');
  if (!list || list.kind === 'null') return [];
  const loc = ['body', 'filters'];
  const items = [...list.items()];
  if (list.kind !== 'array') throw ValidationError.at(loc, 'must be a list', 'list_type');
  if (items.length > MAX_FILTERS) throw ValidationError.at(loc, `more than ${MAX_FILTERS}`, 'too_long');
  return items.map((item, i) => ({
    evaluation: item.get('evaluation_call_id')?.string(),
    holds: rowCondition(item.get('query')?.get('$expr'), [...loc, i, 'query', '$expr']),
  }));
}

/** @param all whether a row must meet all filters, or all those of one evaluation */
export async function filterRows(
  rows: readonly EvaluationRow[],
  filters: readonly RowFilter[],
  all: boolean,
): Promise<EvaluationRow[]> {
  if (filters.length === 0) return [...rows];
  const evaluations = [...new Set(filters.map(({ evaluation }) => evaluation))];
  const groups = all ? [filters] : evaluations.map((id) => filters.filter(({ evaluation }) => evaluation === id));
  const turns = new WorkTurns();
  const found: EvaluationRow[] = [];
  for (const row of rows) {
    if (groups.some((group) => group.every((filter) => meets(row, filter)))) found.push(row);
    if (turns.isOver()) await turns.next();
  }
  return found;
}

const meets = (row: EvaluationRow, { evaluation, holds }: RowFilter): boolean =>
  holds((field) => firstValue(row, field, evaluation)) === true;
