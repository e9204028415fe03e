import { type Cell, type ColumnName, WRITTEN_COLUMNS } from './call-columns.js';

type Cells = Record<Exclude<ColumnName, 'long_texts'>, Cell>;

/** All that one request says about one call: a row for the upsert. */
export interface CallWrite extends Cells {
  project_id: number;
  id: string;
  ended_at: bigint | null;
  /** Encoded originals by their shortened forms, see `indexedText`. */
  long_texts: Record<string, string> | null;
  /** A display name that came with the end, and replaces the one of the start. */
  rename: string | null;
}

export function emptyWrite(projectId: number, id: string): CallWrite {
  return {
    project_id: projectId,
    id,
    trace_id: null,
    parent_id: null,
    thread_id: null,
    turn_id: null,
    op_name: null,
    display_name: null,
    started_at: null,
    wb_user_id: null,
    wb_run_id: null,
    wb_run_step: null,
    attributes: null,
    attributes_search: null,
    inputs: null,
    inputs_search: null,
    input_refs: null,
    otel_dump: null,
    ended_at: null,
    exception: null,
    output: null,
    output_search: null,
    output_refs: null,
    summary: null,
    summary_search: null,
    wb_run_step_end: null,
    long_texts: null,
    rename: null,
  };
}

/** Merges what arrived later into what arrived before, by the same rules as the statement does: see `Merge`. */
export function mergeInto(before: CallWrite, later: CallWrite): void {
  const laterEndCounts = later.ended_at !== null && (before.ended_at === null || later.ended_at >= before.ended_at);
  const endAsOne = laterEndCounts && before.ended_at !== null && later.ended_at! > before.ended_at;
  if (laterEndCounts) before.rename = later.rename ?? before.rename;
  const merged: Partial<Record<ColumnName, Cell>> = {};
  for (const { name, merge, of = name } of WRITTEN_COLUMNS) {
    if (name === 'long_texts' || of === 'long_texts') continue;
    if (merge === 'first') merged[name] = before[of] === null ? later[name] : before[name];
    if (merge === 'end' && laterEndCounts) merged[name] = endAsOne || later[of] !== null ? later[name] : before[name];
  }
  Object.assign(before, merged);
  if (later.long_texts) before.long_texts = { ...before.long_texts, ...later.long_texts };
}
