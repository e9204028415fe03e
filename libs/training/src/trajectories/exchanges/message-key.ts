import type { ChatMessage } from '@heddle/engine';

type Fields = Record<string, unknown>;

/**
 * A text that two messages share if one stands for the other in a history: what was answered, and what a later request says
 * was. ART compares them in this form, too.
 */
export const messageKey = (message: ChatMessage): string => canonical(normalized({ ...message }));

/** The same of an answer, in which null says that there is nothing. */
export const answerKey = (message: ChatMessage): string =>
  canonical(normalized(withoutNulls(message as unknown as Fields)));

function normalized(fields: Fields): Fields {
  const { annotations: _, reasoning_content: reasoning, ...message } = fields;
  if (reasoning !== undefined) restoreReasoning(message, reasoning);
  if (message['content'] === null || message['content'] === undefined) {
    if (message['role'] === 'assistant') message['content'] = '';
    else delete message['content'];
  }
  if (Array.isArray(message['tool_calls']) && message['tool_calls'].length === 0) delete message['tool_calls'];
  return message;
}

/** Servers have two names for it. */
function restoreReasoning(message: Fields, reasoning: unknown): void {
  if (reasoning !== null && !message['reasoning']) message['reasoning'] = reasoning;
  else if (reasoning !== (message['reasoning'] ?? null)) message['reasoning_content'] = reasoning;
}

function withoutNulls(value: Fields): Fields {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, isFields(field) ? withoutNulls(field) : listWithoutNulls(field)]),
  );
}

const listWithoutNulls = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((item) => (isFields(item) ? withoutNulls(item) : item)) : value;

/** JSON text with the keys in order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    isFields(field) ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1))) : field,
  );
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
