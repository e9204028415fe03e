import { INPUT_KEYS, OUTPUT_KEYS } from '../otel/semantic-conventions.js';

export interface SpanMessage {
  role: string;
  /** Plain text; what isn't text alone as JSON. */
  content: string;
  finish_reason: string;
}

type Json = Record<string, unknown>;

const WRAPPERS: ReadonlySet<string> = new Set([...INPUT_KEYS, ...OUTPUT_KEYS, 'messages', 'choices', 'message']);
/** Deeper than messages are in any convention. */
const MAX_DEPTH = 8;

/** The messages in a payload of a span, whichever convention it follows. @param role of text that says of none */
export function messagesIn(payload: unknown, role: string, depth = 0): SpanMessage[] {
  if (payload === null || payload === undefined || depth > MAX_DEPTH) return [];
  if (typeof payload === 'string') return payload === '' ? [] : [message(role, payload)];
  if (Array.isArray(payload)) {
    if (payload.every(isObject)) return payload.flatMap((item) => messagesIn(item, role, depth + 1));
    return [message(role, jsonText(payload))];
  }
  if (!isObject(payload)) return [message(role, String(payload))];
  return ofObject(payload, role, depth);
}

function ofObject(value: Json, role: string, depth: number): SpanMessage[] {
  if (typeof value['role'] === 'string') return [ofMessage(value, value['role'])];
  const inside = Object.entries(value).filter(([key]) => WRAPPERS.has(key));
  if (inside.length > 0) {
    const reason = finishReason(value);
    const system = typeof value['system'] === 'string' ? [message('system', value['system'])] : [];
    const found = inside.flatMap(([, item]) => messagesIn(item, role, depth + 1));
    return [...system, ...found].map((one) => (one.finish_reason ? one : { ...one, finish_reason: reason }));
  }
  const text = ['text', 'content', 'prompt'].map((key) => value[key]).find((found) => typeof found === 'string');
  if (typeof text === 'string') return [{ role, content: text, finish_reason: finishReason(value) }];
  if (Array.isArray(value['parts']) || Array.isArray(value['content'])) return [ofMessage(value, role)];
  return Object.keys(value).length === 0 ? [] : [message(role, jsonText(value))];
}

function ofMessage(value: Json, role: string): SpanMessage {
  const parts = value['parts'] ?? value['content'] ?? value['contents'];
  return { role, content: contentOf(parts), finish_reason: finishReason(value) };
}

function contentOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  const texts = Array.isArray(content) ? content.map(textOf) : [undefined];
  return texts.every((text) => text !== undefined) ? texts.join('\n') : jsonText(content);
}

/** Of a part that is text and nothing else. */
function textOf(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  if (!isObject(part) || ('type' in part && part['type'] !== 'text')) return undefined;
  const text = part['content'] ?? part['text'];
  return typeof text === 'string' ? text : undefined;
}

/** What is shown of a message's content: its text, without calls of tools, thoughts and files. */
export function shownText(content: string): string {
  if (!content.startsWith('[')) return content;
  try {
    const parts = JSON.parse(content) as unknown;
    if (!Array.isArray(parts)) return content;
    const texts = parts.map((part) => (isObject(part) && part['type'] === 'reasoning' ? undefined : textOf(part)));
    return texts.filter((text) => text !== undefined).join('\n');
  } catch {
    return content;
  }
}

function finishReason(value: Json): string {
  const reason = value['finish_reason'] ?? value['finishReason'];
  return typeof reason === 'string' ? reason : '';
}

const message = (role: string, content: string): SpanMessage => ({ role, content, finish_reason: '' });

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON text, or nothing of what is nested too deeply to be written. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
