import { decodeText } from '@heddle/json';
import { originalText } from '../values/indexed-text.js';
import { isObject, jsonText, messagesIn, type SpanMessage } from './span-messages.js';

/** A row of `spanRows`; times as ISO 8601. Payloads only where details are asked for. */
export interface SpanRow {
  span_id: string;
  trace_id: string | null;
  parent_span_id: string | null;
  span_name: string | null;
  conversation_id: string | null;
  wb_run_id: string | null;
  wb_user_id: string | null;
  status_message: string | null;
  started_at: string;
  ended_at: string | null;
  status_code: 'UNSET' | 'OK' | 'ERROR';
  long_texts: Record<string, string> | null;
  operation_name: string | null;
  provider_name: string | null;
  agent_name: string | null;
  agent_id: string | null;
  agent_version: string | null;
  agent_description: string | null;
  request_model: string | null;
  response_model: string | null;
  response_id: string | null;
  conversation_name: string | null;
  tool_name: string | null;
  tool_type: string | null;
  tool_call_id: string | null;
  error_type: string | null;
  input_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
  summary?: string | null;
  attributes?: string | null;
  inputs?: string | null;
  output?: string | null;
  otel_dump?: string | null;
}

export interface AgentSpan extends Omit<
  SpanRow,
  'long_texts' | 'summary' | 'attributes' | 'inputs' | 'output' | 'otel_dump'
> {
  trace_id: string;
  input_messages: SpanMessage[];
  output_messages: SpanMessage[];
  system_instructions: string[];
  tool_call_arguments: string | null;
  tool_call_result: string | null;
}

const INDEXED = ['span_id', 'trace_id', 'parent_span_id', 'span_name', 'conversation_id', 'wb_run_id'] as const;
/** Their inputs and outputs aren't messages. */
const TOOL_OPERATIONS: ReadonlySet<string> = new Set(['execute_tool', 'ai.toolCall']);

/** A span as clients see it; its messages where the row has payloads. */
export function agentSpan(row: SpanRow): AgentSpan {
  const { long_texts: longTexts, summary: _summary, attributes, inputs, output, otel_dump: _dump, ...fields } = row;
  const originals = Object.fromEntries(
    INDEXED.map((name) => [name, row[name] === null ? null : originalText(row[name], longTexts)]),
  ) as Pick<AgentSpan, (typeof INDEXED)[number]>;
  const isTool = isToolSpan(row);
  const [sent, answered] = [parsed(inputs), parsed(output)];
  return {
    ...fields,
    ...originals,
    trace_id: originals.trace_id ?? '',
    wb_user_id: row.wb_user_id && decodeText(row.wb_user_id),
    status_message: row.status_message && decodeText(row.status_message),
    input_messages: isTool ? [] : messagesIn(sent, 'user'),
    output_messages: isTool ? [] : messagesIn(answered, 'assistant'),
    system_instructions: instructionsIn(parsed(attributes)),
    tool_call_arguments: isTool ? toolText(sent) : null,
    tool_call_result: isTool ? toolText(answered) : null,
  };
}

export const isToolSpan = ({ operation_name: operation }: Pick<SpanRow, 'operation_name'>): boolean =>
  operation !== null && TOOL_OPERATIONS.has(operation);

/** Milliseconds; 0 where it hasn't ended. */
export const durationOf = ({ started_at: start, ended_at: end }: Pick<SpanRow, 'started_at' | 'ended_at'>): number =>
  end === null ? 0 : Math.max(0, Date.parse(end) - Date.parse(start));

function parsed(text: string | null | undefined): unknown {
  return text == null ? undefined : (JSON.parse(text) as unknown);
}

/** `{"gen_ai.tool.call.arguments": x}` is x. */
function toolText(payload: unknown): string | null {
  const values = isObject(payload) ? Object.entries(payload) : [];
  const [key, value] = values.length === 1 ? values[0]! : ['', payload];
  const inner = /tool|args|input|output|result/i.test(key) ? value : payload;
  if (inner === undefined || inner === null) return null;
  return typeof inner === 'string' ? inner : jsonText(inner);
}

/** As `gen_ai.system_instructions` has them: texts, or parts. */
function instructionsIn(attributes: unknown): string[] {
  const genAi = isObject(attributes) ? attributes['gen_ai'] : undefined;
  const found = isObject(genAi) ? genAi['system_instructions'] : undefined;
  const value = typeof found === 'string' && found.startsWith('[') ? safeParse(found) : found;
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  return value.flatMap((part: unknown) => {
    const text = isObject(part) ? (part['content'] ?? part['text']) : part;
    return typeof text === 'string' ? [text] : [];
  });
}

function safeParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
