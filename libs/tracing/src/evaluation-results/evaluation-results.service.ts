import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { indexJson, type JsonMember, type JsonNode } from '@heddle/json';
import { RefsService } from '../refs/refs.service.js';
import { jsonObjects } from '../request/json-answer.js';
import type { QueryResults } from './evaluation-results.schema.js';
import { type EvaluationRow, inAll, rowMembers, rowRef, rowsOf } from './evaluation-row.js';
import { summaryOf } from './evaluation-summary.js';
import { EvaluationTrialsService } from './evaluation-trials.service.js';
import { filterRows, readFilters } from './row-filters.js';
import { sortRows } from './row-order.js';

/** References that are followed in one go. */
const BATCH = 500;

/** Evaluations beside each other: what each said of every row, and what that comes to. */
@Injectable()
export class EvaluationResultsService {
  constructor(
    private readonly trials: EvaluationTrialsService,
    private readonly refs: RefsService,
  ) {}

  /** @param body the same as the request, for its conditions @returns the members of the answer */
  async query(
    caller: Principal,
    projectId: string,
    request: QueryResults,
    body: JsonNode,
    signal: AbortSignal,
  ): Promise<JsonMember[]> {
    const evaluations = evaluationsOf(request);
    const { sort_by: sortBy = [], include_rows: withRows = true, require_intersection: intersect = false } = request;
    const filters = readFilters(body);
    // Before anything is read: a field that rows don't have is one whether there are rows or not.
    sortRows([], sortBy, evaluations);
    const { include_predict_and_score_children: children = true, include_costs: costs = false } = request;
    const trials = await this.trials.find(caller, projectId, evaluations, { children, costs }, signal);
    const all = await rowsOf(trials);
    if (usesInputs(request, body)) await this.resolve(caller, all);
    const found = await filterRows(all, filters, request.filter_logic_operator === 'and');
    const rows = sortRows(intersect ? inAll(found, evaluations) : found, sortBy, evaluations);
    const { offset = 0, limit = Infinity } = request;
    const page = withRows ? rows.slice(offset, offset + limit) : [];
    const withExamples = request.include_raw_data_rows ?? false;
    const resolved = withExamples && request.resolve_row_refs === true;
    const missing = resolved ? await this.resolve(caller, page) : 0;
    return [
      ['rows', jsonObjects(page.map((row) => rowMembers(row, evaluations, { withExamples, resolved })))],
      ['total_rows', withRows ? rows.length : 0],
      ['summary', await this.summary(caller, projectId, request, found, signal)],
      ['warnings', missing > 0 ? [`${missing} rows are references that name nothing that can be read`] : []],
    ];
  }

  private async summary(
    caller: Principal,
    projectId: string,
    request: QueryResults,
    found: EvaluationRow[],
    signal: AbortSignal,
  ): Promise<object | null> {
    if (!request.include_summary) return null;
    const evaluations = evaluationsOf(request);
    const intersect = request.summary_require_intersection ?? request.require_intersection ?? false;
    const rows = sortRows(intersect ? inAll(found, evaluations) : found, [], evaluations);
    return summaryOf(rows, await this.trials.roots(caller, projectId, evaluations, signal));
  }

  /** Follows references to rows of datasets. @returns how many led nowhere */
  private async resolve(caller: Principal, rows: readonly EvaluationRow[]): Promise<number> {
    const open = rows.flatMap((row) => {
      const ref = row.resolved ? undefined : rowRef(row);
      return ref === undefined ? [] : [{ row, ref }];
    });
    let missing = 0;
    for (let first = 0; first < open.length; first += BATCH) {
      const batch = open.slice(first, first + BATCH);
      const values = await this.refs.read(
        caller,
        batch.map(({ ref }) => ref),
      );
      for (const [i, { row }] of batch.entries()) {
        const value = values[i];
        if (value) row.resolved = await indexJson(value);
        else missing++;
      }
    }
    return missing;
  }
}

function evaluationsOf({ evaluation_call_ids: ids = [], evaluation_run_ids: runs = [] }: QueryResults): string[] {
  const all = [...new Set([...ids, ...runs])];
  if (all.length > 0) return all;
  throw ValidationError.at(['body', 'evaluation_call_ids'], 'at least one evaluation is required', 'missing');
}

const usesInputs = ({ sort_by: sortBy = [] }: QueryResults, body: JsonNode): boolean =>
  sortBy.some(({ field }) => field.startsWith('inputs.')) || (body.get('filters')?.raw().includes('inputs.') ?? false);
