import type { JsonNode } from '@heddle/json';

/** What a column holds in memory: text as a string, or as its place in the request; numbers and times as integers. */
export type Cell = string | JsonNode | Buffer | number | bigint | null;

export type CellType = 'integer' | 'bigint' | 'text' | 'timestamptz' | 'text[]' | 'jsonb';

/**
 * How the values of two writes of one call become one.
 * - `key`: they are equal.
 * - `first`: the first value that is not null stays: who a call is doesn't change.
 * - `end`: an end is one event, and the one with the greatest `ended_at` counts, its nulls included: a call that failed
 *   and then ended well has no exception. Of ends at the same time the last to arrive counts, and its nulls are filled.
 * - `union`: what either has.
 */
export type Merge = 'key' | 'first' | 'end' | 'union';

/** Every column of a call but `created_at` and `deleted_at`: statements, rows and records are made from this list. */
const COLUMN_LIST = [
  { name: 'project_id', type: 'integer', merge: 'key' },
  { name: 'id', type: 'text', merge: 'key' },
  { name: 'trace_id', type: 'text', merge: 'first' },
  { name: 'parent_id', type: 'text', merge: 'first' },
  { name: 'thread_id', type: 'text', merge: 'first' },
  { name: 'turn_id', type: 'text', merge: 'first' },
  { name: 'op_name', type: 'text', merge: 'first' },
  { name: 'display_name', type: 'text', merge: 'first' },
  { name: 'started_at', type: 'timestamptz', merge: 'first' },
  { name: 'wb_user_id', type: 'text', merge: 'first' },
  { name: 'wb_run_id', type: 'text', merge: 'first' },
  { name: 'wb_run_step', type: 'bigint', merge: 'first' },
  { name: 'attributes', type: 'text', merge: 'first' },
  { name: 'attributes_search', type: 'text', merge: 'first', of: 'attributes' },
  { name: 'inputs', type: 'text', merge: 'first' },
  { name: 'inputs_search', type: 'text', merge: 'first', of: 'inputs' },
  { name: 'input_refs', type: 'text[]', merge: 'first', of: 'inputs' },
  { name: 'otel_dump', type: 'text', merge: 'first' },
  { name: 'ended_at', type: 'timestamptz', merge: 'end' },
  { name: 'exception', type: 'text', merge: 'end' },
  { name: 'output', type: 'text', merge: 'end' },
  { name: 'output_search', type: 'text', merge: 'end', of: 'output' },
  { name: 'output_refs', type: 'text[]', merge: 'end', of: 'output' },
  { name: 'summary', type: 'text', merge: 'end' },
  { name: 'summary_search', type: 'text', merge: 'end', of: 'summary' },
  { name: 'wb_run_step_end', type: 'bigint', merge: 'end' },
  { name: 'long_texts', type: 'jsonb', merge: 'union' },
] as const;

export type ColumnName = (typeof COLUMN_LIST)[number]['name'];

export interface Column {
  readonly name: ColumnName;
  readonly type: CellType;
  readonly merge: Merge;
  /** Comes and goes with that column's value. */
  readonly of?: ColumnName;
}

/** The columns that clients' writes fill, in the order in which statements name them. */
export const WRITTEN_COLUMNS: readonly Column[] = COLUMN_LIST;

/**
 * Columns in which a span that was sent again, ended, replaces what it was before (`otel_dump` tells a span), however it
 * merges otherwise: it comes whole each time, and the last is the one that its sender means. What somebody named a call
 * stays, and so does who sent it.
 */
export const isResent = ({ name, merge }: Column): boolean =>
  merge !== 'key' && merge !== 'union' && name !== 'display_name' && name !== 'wb_user_id';
