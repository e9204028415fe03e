import { EngineError } from '../protocol/engine.errors.js';
import type { ChatMessage } from '../protocol/chat.js';

type Fields = Record<string, unknown>;

/** A message as chat templates expect it. */
export type TemplateMessage = Record<string, unknown> & { role: string; content: string };

/**
 * Messages as clients send them to messages as templates expect them, in the way of vLLM's server, so that a prompt
 * that was written for it gives the same tokens here: text parts are joined by a line break, no content is empty
 * content, arguments of tool calls are objects. What is null is left out (clients write every field of their classes),
 * other unknown keys are passed on.
 */
export function templateMessages(messages: readonly ChatMessage[]): TemplateMessage[] {
  return messages.map((message, i) => {
    const place = `messages[${i}]`;
    const known = Object.entries(message).filter(([, value]) => value !== null && value !== undefined);
    const { tool_calls: given, function_call: older, refusal, ...rest } = Object.fromEntries(known) as Fields;
    const calls = callsOf(given, older, place);
    return {
      ...rest,
      role: roleOf(message, place),
      // What a model said when it refused is what it said.
      content: textOf(message.content, place) || textOf(refusal, `${place}.refusal`),
      // Templates take a list, even an empty one, for calls.
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
  });
}

/** `function_call` is the older form of a single call. */
function callsOf(given: unknown, older: unknown, place: string): Fields[] {
  const calls = Array.isArray(given) ? given.map((call, j) => toolCall(call, `${place}.tool_calls[${j}]`)) : [];
  if (older === undefined || calls.length > 0) return calls;
  if (typeof older !== 'object') throw invalid(`${place}.function_call`, 'is not an object');
  return [toolCall({ type: 'function', function: older }, place)];
}

function roleOf(message: ChatMessage, place: string): string {
  if (typeof message.role !== 'string') throw invalid(`${place}.role`, 'is not a string');
  if (message.role === 'developer') return 'system';
  return message.role === 'function' ? 'tool' : message.role;
}

function textOf(content: unknown, place: string): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw invalid(`${place}.content`, 'is neither a string nor a list of parts');
  return content.map((part: unknown, j) => textOfPart(part, `${place}.content[${j}]`)).join('\n');
}

function textOfPart(part: unknown, place: string): string {
  if (typeof part === 'string') return part;
  const given = Object(part) as Fields;
  const { type } = given;
  if (type !== 'text' && type !== 'refusal')
    throw invalid(`${place}.type`, `is ${JSON.stringify(type) ?? 'missing'}: only "text" and "refusal" are supported`);
  const text = given[type];
  if (typeof text !== 'string') throw invalid(`${place}.${type}`, 'is not a string');
  return text;
}

function toolCall(call: unknown, place: string): Record<string, unknown> {
  const { function: called, ...rest } = Object(call) as { function?: unknown };
  if (typeof called !== 'object' || called === null) throw invalid(`${place}.function`, 'is required');
  return { ...rest, function: { ...called, arguments: argumentsOf((called as { arguments?: unknown }).arguments) } };
}

/**
 * Templates write arguments as JSON, so they want what the JSON says; text that isn't a JSON object is left as it is.
 */
function argumentsOf(given: unknown): unknown {
  if (given === undefined || given === null || given === '') return {};
  if (typeof given !== 'string') return given;
  try {
    const value: unknown = JSON.parse(given);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : given;
  } catch {
    return given;
  }
}

function invalid(place: string, what: string): EngineError {
  return new EngineError('invalid_request', `${place} ${what}`, place);
}
