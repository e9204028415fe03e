import { ValidationError } from '@heddle/http';
import { splitPath } from '../query/field-path.js';

/** Payload columns: JSON text as it was sent, searched by path. */
export const PAYLOADS = ['attributes', 'inputs', 'output', 'summary'] as const;
export type Payload = (typeof PAYLOADS)[number];

/** Envelope fields, by type. Each is a column of the same name. */
const TEXTS = [
  'id',
  'op_name',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'display_name',
  'exception',
  'wb_user_id',
  'wb_run_id',
] as const;
const TIMES = ['started_at', 'ended_at', 'deleted_at'] as const;
const NUMBERS = ['wb_run_step', 'wb_run_step_end'] as const;

/** `summary.weave.*`: not stored but worked out from the call. */
const COMPUTED = ['status', 'latency_ms', 'trace_name'] as const;

const FEEDBACK = [
  'payload',
  'runnable_ref',
  'annotation_ref',
  'call_ref',
  'trigger_ref',
  'creator',
  'wb_user_id',
] as const;

/** What a field name in a query or a sort means. */
export type CallField =
  | { kind: 'text'; column: (typeof TEXTS)[number] }
  | { kind: 'time'; column: (typeof TIMES)[number] }
  | { kind: 'number'; column: (typeof NUMBERS)[number] }
  | { kind: 'computed'; name: (typeof COMPUTED)[number] }
  | { kind: 'payload'; column: Payload; path: string[] }
  | FeedbackField;

/**
 * `feedback.[TYPE].payload.output`, `feedback.[TYPE].runnable_ref`: how the SDKs ask for calls by their scores. The type `*`:
 * feedback of any type.
 */
export interface FeedbackField {
  kind: 'feedback';
  type: string;
  column: (typeof FEEDBACK)[number];
  path: string[];
}

export const MAX_FIELD_LENGTH = 2000;

/**
 * Reads a dotted field name, e.g. `started_at`, `inputs.messages.0.role`, `summary.weave.latency_ms`. A dot inside of a
 * key is written `\.`: `attributes.gen_ai\.system`.
 * @throws ValidationError for a field that calls don't have
 */
export function parseCallField(name: string, loc: (string | number)[]): CallField {
  if (name.length > MAX_FIELD_LENGTH) throw ValidationError.at(loc, 'The field name is too long', 'field_too_long');
  const feedback = /^feedback\.\[([^\]]+)\]\.(.+)$/su.exec(name);
  const [column = '', ...path] = splitPath(feedback?.[2] ?? name);
  if (feedback) {
    if (isOneOf(FEEDBACK, column) && (column === 'payload' || path.length === 0)) {
      return { kind: 'feedback', type: feedback[1]!, column, path };
    }
    throw unknownField(name, loc);
  }
  if (isOneOf(PAYLOADS, column)) {
    const computed = column === 'summary' && path.length === 2 && path[0] === 'weave' ? path[1]! : '';
    if (isOneOf(COMPUTED, computed)) return { kind: 'computed', name: computed };
    return { kind: 'payload', column, path };
  }
  if (path.length === 0) {
    if (isOneOf(TEXTS, column)) return { kind: 'text', column };
    if (isOneOf(TIMES, column)) return { kind: 'time', column };
    if (isOneOf(NUMBERS, column)) return { kind: 'number', column };
  }
  throw unknownField(name, loc);
}

const unknownField = (name: string, loc: (string | number)[]): ValidationError =>
  ValidationError.at(loc, 'Calls have no such field', 'unknown_field', name.slice(0, 100));

function isOneOf<T extends string>(names: readonly T[], name: string): name is T {
  return (names as readonly string[]).includes(name);
}
