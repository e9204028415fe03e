import { raw, RawJson } from '@heddle/json';
import type { OtlpEvent, OtlpSpan } from './otlp-span.js';
import type { OtelMap, OtelValue } from './otel-value.js';
import { CHOICE_EVENT, EVENT_LIST_KEYS, INPUT_KEYS, MESSAGE_EVENT, OUTPUT_KEYS } from './semantic-conventions.js';
import { SpanAttributes, unwrapJson } from './span-attributes.js';

export interface SpanPayloads {
  /** An object. */
  inputs: OtelValue;
  output: OtelValue;
  /** Keys of the span's own attributes that became one of the two. */
  taken: string[];
}

/**
 * What went into a span and what came out of it: an attribute of the span, or of one of its events, or the events that
 * are messages themselves. The value stands under its own key, `{"input.value": ...}`, so that its form can be told;
 * `input` and `output` say nothing and fall away.
 */
export function payloadsOf(span: OtlpSpan, attributes: SpanAttributes): SpanPayloads {
  const listed = eventList(attributes.first(EVENT_LIST_KEYS)?.value);
  const sent = [...span.events, ...listed];
  const events = span.events.map((event) => new SpanAttributes(event.attributes));
  const [input, output] = [INPUT_KEYS, OUTPUT_KEYS].map((keys) => {
    const own = attributes.first(keys);
    return own ? { ...own, own: true } : events.map((event) => event.first(keys)).find((found) => found);
  });
  return {
    inputs: input ? keyed(input.key, input.value, isObject) : messagesOf(sent),
    output: output ? keyed(output.key, output.value, () => true) : choicesOf(sent),
    taken: [input, output].flatMap((found) => (found && 'own' in found ? [found.key] : [])),
  };
}

/** Messages that came as JSON text in one attribute, as the events that others send, e.g. of pydantic-ai before 1.0. */
function eventList(text: OtelValue | undefined): OtlpEvent[] {
  if (typeof text !== 'string' || !text.includes('"event.name"')) return [];
  try {
    const events = JSON.parse(text) as unknown;
    if (!Array.isArray(events)) return [];
    return events.flatMap((event: unknown) => {
      if (typeof event !== 'object' || event === null) return [];
      const { 'event.name': name, ...attributes } = event as Record<string, unknown>;
      const values = Object.entries(attributes).map(([key, value]) => [key, raw(JSON.stringify(value))] as const);
      return [{ name: String(name), attributes: new Map<string, OtelValue>(values) }];
    });
  } catch {
    return [];
  }
}

function keyed(key: string, value: OtelValue, mayStandAlone: (value: OtelValue) => boolean): OtelValue {
  const content = unwrapJson(value);
  return /^(in|out)puts?$/.test(key) && mayStandAlone(content) ? content : new Map([[key, content]]);
}

function isObject(value: OtelValue): boolean {
  return value instanceof Map || (value instanceof RawJson && value.text.toString().trimStart().startsWith('{'));
}

function messagesOf(events: OtlpEvent[]): OtelMap {
  const messages = events.flatMap(({ name, attributes }) => {
    const [, role] = MESSAGE_EVENT.exec(name) ?? [];
    return role ? [new Map<string, OtelValue>([['role', role], ...unwrapped(attributes)])] : [];
  });
  return messages.length > 0 ? new Map([['messages', messages]]) : new Map();
}

function choicesOf(events: OtlpEvent[]): OtelValue {
  const choices = events.filter(({ name }) => name === CHOICE_EVENT).map((event) => unwrapped(event.attributes));
  return choices.length > 0 ? new Map([['choices', choices]]) : null;
}

function unwrapped(attributes: OtelMap): OtelMap {
  return new Map([...attributes].map(([key, value]) => [key, unwrapJson(value)]));
}
