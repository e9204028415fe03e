import type { JsonNode } from '@heddle/json';
import type { Micros } from '../values/timestamp.js';

/** JSON that is stored as it is: a part of a request, or text that was made here. */
export type JsonText = JsonNode | string;

/** Who a call is, and what went into it. */
export interface CallStart {
  trace_id: string;
  parent_id?: string | null;
  thread_id?: string | null;
  turn_id?: string | null;
  op_name?: string | null;
  display_name?: string | null;
  wb_run_id?: string | null;
  wb_run_step?: bigint | null;
  started_at: Micros;
  attributes?: JsonText | null;
  inputs?: JsonText | null;
  /** The span that the call was made from, as it came. */
  otel_dump?: JsonText | Buffer | null;
}

/** How a call ended, and what came out of it. */
export interface CallEnd {
  ended_at: Micros;
  /** Not empty: the call failed. */
  exception?: string | null;
  output?: JsonText | null;
  summary?: JsonText | null;
  wb_run_step_end?: bigint | null;
  /** A name that replaces the start's. */
  display_name?: string | null;
}

/** What is said about one call of a project: its start, its end, or both. What isn't said is null or missing. */
export interface NewCall {
  id: string;
  start?: CallStart;
  end?: CallEnd;
}
