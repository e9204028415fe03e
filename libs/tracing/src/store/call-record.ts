/** A row of `calls` as {@link CALL_COLUMNS} selects it. */
export interface CallRecord {
  id: string;
  trace_id: string | null;
  parent_id: string | null;
  thread_id: string | null;
  turn_id: string | null;
  op_name: string | null;
  display_name: string | null;
  /** `2026-01-31T12:00:00.123456Z`, as all times. Not null where only visible calls are selected. */
  started_at: string;
  ended_at: string | null;
  exception: string | null;
  wb_user_id: string | null;
  wb_run_id: string | null;
  /** Digits: node-postgres reads bigint as text. */
  wb_run_step: string | null;
  wb_run_step_end: string | null;
  /** JSON texts, as the client sent them. */
  attributes: string | null;
  inputs: string | null;
  output: string | null;
  summary: string | null;
  otel_dump: string | null;
  long_texts: Record<string, string> | null;
}

const iso = (column: string): string =>
  `to_char(c.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS ${column}`;

/** The select list of a {@link CallRecord}, over `calls c`. */
export const CALL_COLUMNS = `
  c.id, c.trace_id, c.parent_id, c.thread_id, c.turn_id, c.op_name, c.display_name,
  ${iso('started_at')}, ${iso('ended_at')}, c.exception, c.wb_user_id, c.wb_run_id, c.wb_run_step, c.wb_run_step_end,
  c.attributes, c.inputs, c.output, c.summary, c.otel_dump, c.long_texts`;

/** The same without some payloads, which then read as null: nobody carries megabytes that nobody asked for. */
export const callColumns = (without: readonly string[]): string =>
  without.reduce((columns, payload) => columns.replace(`c.${payload},`, `NULL AS ${payload},`), CALL_COLUMNS);

/** What a client may see: deleted calls are gone, and an end waits for its start. */
export const VISIBLE_CALL = 'c.started_at IS NOT NULL AND c.deleted_at IS NULL';
