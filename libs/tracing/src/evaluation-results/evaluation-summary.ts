import { type JsonMember, type JsonNode } from '@heddle/json';
import { text } from '../evaluation-runs/evaluation-calls.service.js';
import type { EvaluationRow } from './evaluation-row.js';
import type { ScorerStats } from './evaluation-results.schema.js';
import { scoresOf, type Trial } from './evaluation-trial.js';

/** What scorers said within a score may lie this deep. */
const MAX_DEPTH = 20;

interface Sums {
  trials: number;
  tokens: number | null;
  cost: number | null;
  stats: Map<string, ScorerStats>;
}

/** What each evaluation comes to. @param roots the evaluations' own calls */
export function summaryOf(rows: readonly EvaluationRow[], roots: readonly JsonNode[]): object {
  const byEvaluation = new Map<string, Sums>();
  for (const trial of rows.flatMap(({ trials }) => trials)) {
    const sums = byEvaluation.get(trial.evaluationId) ?? { trials: 0, tokens: null, cost: null, stats: new Map() };
    byEvaluation.set(trial.evaluationId, sums);
    add(sums, trial);
  }
  const known = new Map(roots.map((call) => [text(call, 'id'), call]));
  return {
    row_count: rows.length,
    evaluations: [...byEvaluation].map(([id, { trials, tokens, cost, stats }]) => ({
      evaluation_call_id: id,
      trial_count: trials,
      scorer_stats: [...stats.values()].map(withRates),
      predict_total_tokens: tokens,
      predict_total_cost: cost,
      ...Object.fromEntries(rootMembers(known.get(id))),
    })),
  };
}

function rootMembers(call: JsonNode | undefined): JsonMember[] {
  const inputs = call?.get('inputs');
  return [
    ['evaluation_ref', text(inputs, 'self') ?? text(inputs, 'this')],
    ['model_ref', text(inputs, 'model')],
    ...['display_name', 'trace_id', 'started_at'].map((name): JsonMember => [name, text(call, name)]),
  ];
}

function add(sums: Sums, { call, tokens, cost }: Trial): void {
  sums.trials++;
  if (tokens !== null) sums.tokens = (sums.tokens ?? 0) + tokens;
  if (cost !== null) sums.cost = (sums.cost ?? 0) + cost;
  for (const [scorer, value] of scoresOf(call)) addScore(sums.stats, scorer, [], value);
}

/** Each number, boolean and text of what a scorer said, by where it lies. */
function addScore(all: Map<string, ScorerStats>, scorer: string, path: string[], value: JsonNode): void {
  if (value.kind === 'object' && path.length < MAX_DEPTH) {
    for (const [key, member] of value.entries()) addScore(all, scorer, [...path, key], member);
    return;
  }
  const type = ({ boolean: 'binary', number: 'continuous', string: 'text' } as const)[value.kind as 'string'] as
    ScorerStats['value_type'] | undefined;
  if (!type) return;
  const key = JSON.stringify([scorer, path.join('.')]);
  const stats = all.get(key) ?? emptyStats(scorer, path, type);
  all.set(key, stats);
  stats.trial_count++;
  const number = value.number();
  if (number !== undefined) {
    const total = (stats.numeric_mean ?? 0) * stats.numeric_count;
    stats.numeric_mean = (total + number) / ++stats.numeric_count;
  }
  if (type === 'binary') stats.pass_known_count++;
  if (value.boolean()) stats.pass_true_count++;
}

const emptyStats = (scorer_key: string, path: string[], value_type: ScorerStats['value_type']): ScorerStats => ({
  scorer_key,
  path: path.length > 0 ? path.join('.') : null,
  value_type,
  trial_count: 0,
  numeric_count: 0,
  numeric_mean: null,
  pass_true_count: 0,
  pass_known_count: 0,
  pass_rate: null,
  pass_signal_coverage: null,
});

const withRates = (stats: ScorerStats): ScorerStats => ({
  ...stats,
  pass_rate: stats.pass_known_count > 0 ? stats.pass_true_count / stats.pass_known_count : null,
  pass_signal_coverage: stats.pass_known_count / stats.trial_count,
});
