import type { JsonMember, JsonNode } from '@heddle/json';
import { jsonDigest, bytesDigest } from '../objects/digest.js';
import { rawOf } from '../evaluation-runs/evaluation-calls.service.js';
import { jsonObjects } from '../request/json-answer.js';
import { type Trial, trialMembers } from './evaluation-trial.js';

/** What models were given, and what each evaluation has of it. */
export interface EvaluationRow {
  digest: string;
  /** The row itself, or the reference to it. */
  example: JsonNode | undefined;
  /** What the reference names, once it has been followed. */
  resolved?: JsonNode;
  trials: Trial[];
}

/** A row of a dataset, as evaluations refer to it. */
const ROW_REF = /^(.+?)\/attr\/rows\/id\/([^/]+)$/s;

/** By the row that they are of, which has the same digest in every evaluation. */
export async function rowsOf(trials: readonly Trial[]): Promise<EvaluationRow[]> {
  const rows = new Map<string, EvaluationRow>();
  for (const trial of trials) {
    const example = trial.call.get('inputs')?.get('example');
    const digest = await digestOf(example);
    const row = rows.get(digest) ?? { digest, example, trials: [] };
    row.trials.push(trial);
    rows.set(digest, row);
  }
  return [...rows.values()];
}

/** The reference that a row is known by, if any. */
export function rowRef({ example }: EvaluationRow): string | undefined {
  const ref = example?.string();
  return ref !== undefined && ROW_REF.test(ref) ? ref : undefined;
}

async function digestOf(example: JsonNode | undefined): Promise<string> {
  if (example === undefined) return bytesDigest(Buffer.from('null'));
  const string = example.string();
  if (string === undefined) return jsonDigest(example);
  return ROW_REF.exec(string)?.[2] ?? bytesDigest(Buffer.from(string));
}

/** Those that all evaluations have. */
export const inAll = (rows: readonly EvaluationRow[], evaluations: readonly string[]): EvaluationRow[] =>
  rows.filter(({ trials }) => evaluations.every((id) => trials.some(({ evaluationId }) => evaluationId === id)));

/** As it leaves. @param evaluations in the order of the answer */
export function rowMembers(
  row: EvaluationRow,
  evaluations: readonly string[],
  { withExamples, resolved }: { withExamples: boolean; resolved: boolean },
): JsonMember[] {
  const entries = evaluations.flatMap((id): JsonMember[][] => {
    const trials = row.trials.filter(({ evaluationId }) => evaluationId === id);
    if (trials.length === 0) return [];
    return [
      [
        ['evaluation_call_id', id],
        ['trials', jsonObjects(trials.map(trialMembers))],
      ],
    ];
  });
  return [
    ['row_digest', row.digest],
    ['raw_data_row', withExamples ? rawOf((resolved ? row.resolved : undefined) ?? row.example, null) : null],
    ['evaluations', jsonObjects(entries)],
  ];
}
