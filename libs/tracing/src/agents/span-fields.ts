import { ValidationError } from '@heddle/http';
import { columnOperand } from '../query/column-operand.js';
import type { FieldOf } from '../query/expression.js';
import { numberOperand, stringOperand, type TextForm } from '../query/operand.js';

type Column = { type: TextForm } | { type: 'number' | 'time' };

const stored: Column = { type: 'indexedText' };
const shown: Column = { type: 'searchableText' };
const count: Column = { type: 'number' };

/** What spans can be asked for, sorted and grouped by: columns of `spanRows`. */
export const SPAN_FIELDS: Readonly<Record<string, Column>> = {
  span_id: stored,
  trace_id: stored,
  parent_span_id: stored,
  span_name: stored,
  conversation_id: stored,
  wb_run_id: stored,
  wb_user_id: { type: 'encodeText' },
  status_message: { type: 'encodeText' },
  status_code: shown,
  operation_name: shown,
  provider_name: shown,
  agent_name: shown,
  agent_id: shown,
  agent_version: shown,
  agent_description: shown,
  request_model: shown,
  response_model: shown,
  response_id: shown,
  conversation_name: shown,
  tool_name: shown,
  tool_type: shown,
  tool_call_id: shown,
  error_type: shown,
  input_tokens: count,
  output_tokens: count,
  reasoning_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  started_at: { type: 'time' },
  ended_at: { type: 'time' },
};

/** By the conventions' own names, with or without their first word. */
const ALIASES: Readonly<Record<string, string>> = {
  'operation.name': 'operation_name',
  'provider.name': 'provider_name',
  'agent.name': 'agent_name',
  'agent.id': 'agent_id',
  'agent.version': 'agent_version',
  'agent.description': 'agent_description',
  'request.model': 'request_model',
  'response.model': 'response_model',
  'response.id': 'response_id',
  'conversation.id': 'conversation_id',
  'conversation.name': 'conversation_name',
  'tool.name': 'tool_name',
  'tool.type': 'tool_type',
  'tool.call.id': 'tool_call_id',
  'error.type': 'error_type',
  'usage.input_tokens': 'input_tokens',
  'usage.output_tokens': 'output_tokens',
  'usage.reasoning_tokens': 'reasoning_tokens',
  'usage.cache_read.input_tokens': 'cache_read_input_tokens',
  'usage.cache_creation.input_tokens': 'cache_creation_input_tokens',
};

/** @throws ValidationError for what spans don't have */
export function spanColumn(name: string, loc: (string | number)[]): string {
  const short = name.replace(/^(weave|gen_ai)\./, '');
  const column = Object.hasOwn(ALIASES, short) ? ALIASES[short]! : name;
  if (Object.hasOwn(SPAN_FIELDS, column)) return column;
  throw ValidationError.at(loc, 'Spans have no such field', 'unknown_field', name.slice(0, 100));
}

/** As one side of a comparison. @param sqlOf what a column is in SQL */
export const spanFieldOf =
  (sqlOf: (column: string) => string): FieldOf =>
  (name, loc) => {
    const column = spanColumn(name, loc);
    const { type } = SPAN_FIELDS[column]!;
    const sql = sqlOf(column);
    if (type === 'time') return columnOperand('time', sql);
    return type === 'number' ? numberOperand(`${sql}::numeric`) : stringOperand(sql, type);
  };

/** The same over `spanRows s`. */
export const spanField: FieldOf = spanFieldOf((column) => `s.${column}`);
