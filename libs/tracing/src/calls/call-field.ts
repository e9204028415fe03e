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
const COMPUTED = ['status', 'latency_ms', 'trace_name', 'display_name'] as const;
export type ComputedField = (typeof COMPUTED)[number];

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
  | { kind: 'computed'; name: ComputedField }
  | { kind: 'payload'; column: Payload; path: string[]; name: string }
  | CostField
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

/** Of what `include_costs` adds for a model, the numbers. */
export const COSTS = [
  'prompt_tokens_total_cost',
  'completion_tokens_total_cost',
  'cache_read_input_tokens_total_cost',
  'cache_creation_input_tokens_total_cost',
  'prompt_token_cost',
  'completion_token_cost',
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
] as const;

/** `summary.weave.costs.MODEL.prompt_tokens_total_cost`; the model `*`: the sum of all. */
export interface CostField {
  kind: 'cost';
  model: string;
  name: (typeof COSTS)[number];
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
    if (column === 'summary' && path[0] === 'weave' && path[1] === 'costs') return costField(name, path, loc);
    return { kind: 'payload', column, path, name };
  }
  if (path.length === 0) {
    if (isOneOf(TEXTS, column)) return { kind: 'text', column };
    if (isOneOf(TIMES, column)) return { kind: 'time', column };
    if (isOneOf(NUMBERS, column)) return { kind: 'number', column };
  }
  throw unknownField(name, loc);
}

/** A model's name may have dots that nobody escaped: what is between `costs` and the last part is the name. */
function costField(name: string, path: string[], loc: (string | number)[]): CostField {
  const cost = path.at(-1)!;
  if (path.length > 3 && isOneOf(COSTS, cost)) return { kind: 'cost', model: path.slice(2, -1).join('.'), name: cost };
  throw unknownField(name, loc);
}

const unknownField = (name: string, loc: (string | number)[]): ValidationError =>
  ValidationError.at(loc, 'Calls have no such field', 'unknown_field', name.slice(0, 100));

function isOneOf<T extends string>(names: readonly T[], name: string): name is T {
  return (names as readonly string[]).includes(name);
}
