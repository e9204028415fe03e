import { type Column, WRITTEN_COLUMNS } from './call-columns.js';

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
  /** Only where it was asked for. */
  storage_size_bytes?: number;
  total_storage_size_bytes?: number | null;
}

/** What search reads beside a payload is never shown. */
const READ_COLUMNS = WRITTEN_COLUMNS.filter(({ name, of }) => !of && name !== 'project_id');

const select = ({ name, type }: Column): string =>
  type === 'timestamptz'
    ? `to_char(c.${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS ${name}`
    : `c.${name}`;

/**
 * The select list of a {@link CallRecord}, over `calls c`.
 * @param without payloads that read as null: nobody carries megabytes that nobody asked for
 */
export const callColumns = (without: readonly string[]): string =>
  READ_COLUMNS.map((column) => (without.includes(column.name) ? `NULL AS ${column.name}` : select(column))).join(', ');

export const CALL_COLUMNS = callColumns([]);

/** What a client may see: deleted calls are gone, and an end waits for its start. */
export const VISIBLE_CALL = 'c.started_at IS NOT NULL AND c.deleted_at IS NULL';
