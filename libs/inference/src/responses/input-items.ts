import type { ChatMessage, ContentPart } from '@heddle/engine';
import { uniqueHex } from '../answer/chat-identity.js';
import type { RequestFields } from '../request/request-fields.js';

/** An item of a conversation, as it is sent and stored: see {@link readInputItems}. */
export type Item = Readonly<Record<string, unknown>> & { id: string; type: string };

/** Whether it can be the id of an item or a response. */
export const isItemId = (id: string): boolean => /^[\w.:-]{1,256}$/.test(id);

const ROLES = ['user', 'assistant', 'system', 'developer'] as const;
const TEXTS = ['input_text', 'output_text', 'text'];
/** Models here read text; `reasoning` is nothing that they were told. */
const PASSED_OVER = ['reasoning'];

/**
 * `input`: a text, or items. Each gets an id where it has none, by which it can be listed.
 * @returns references to items of earlier responses too (`item_reference`), for the caller to look up
 * @throws ParameterError
 */
export function readInputItems(fields: RequestFields): Item[] {
  if (typeof fields.get('input') === 'string') {
    const content = [{ type: 'input_text', text: fields.string('input') }];
    return [{ id: newId('message'), type: 'message', role: 'user', status: 'completed', content }];
  }
  const items = fields.required('input', fields.objects('input'));
  return items.map(readItem);
}

function readItem(item: RequestFields): Item {
  const type = item.string('type') ?? 'message';
  check(item, type);
  const id = item.string('id') ?? newId(type);
  if (!isItemId(id)) throw item.refusal('id', 'must be letters, digits, -, _, . and :, at most 256');
  return { ...item.all, id, type };
}

function check(item: RequestFields, type: string): void {
  switch (type) {
    case 'message':
      item.required('role', item.oneOf('role', ROLES));
      return checkText(item, 'content');
    case 'function_call':
      for (const name of ['call_id', 'name', 'arguments']) item.required(name, item.string(name));
      return;
    case 'function_call_output':
      item.required('call_id', item.string('call_id'));
      return checkText(item, 'output');
    case 'item_reference':
      item.required('id', item.string('id'));
      return;
    default:
      if (!PASSED_OVER.includes(type))
        throw item.refusal('type', `'${type}' is not supported here: messages, function calls and their outputs are`);
  }
}

/** Text, as such or in parts. */
function checkText(item: RequestFields, name: string): void {
  if (typeof item.get(name) === 'string') return;
  for (const part of item.required(name, item.objects(name))) {
    const type = part.required('type', part.string('type'));
    if (type === 'refusal') part.required('refusal', part.string('refusal'));
    else if (TEXTS.includes(type)) part.required('text', part.string('text'));
    else throw part.refusal('type', `'${type}' is not supported: models here read text`);
  }
}

const PREFIXES: Readonly<Record<string, string>> = { message: 'msg', function_call: 'fc', function_call_output: 'fco' };

const newId = (type: string): string => `${PREFIXES[type] ?? 'item'}_${uniqueHex()}`;

/** Items as a chat's messages: calls in a row are one message of the assistant, with what it said before them. */
export function messagesOf(items: readonly Item[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const item of items) {
    if (item.type === 'message')
      messages.push({ role: item['role'] as ChatMessage['role'], content: contentOf(item['content']) });
    else if (item.type === 'function_call') calling(messages).push(callOf(item));
    else if (item.type === 'function_call_output') {
      messages.push({ role: 'tool', tool_call_id: String(item['call_id']), content: contentOf(item['output']) });
    }
  }
  return messages;
}

/** Where the next call belongs. */
function calling(messages: ChatMessage[]): NonNullable<ChatMessage['tool_calls']> {
  let last = messages.at(-1);
  if (last?.role !== 'assistant') messages.push((last = { role: 'assistant', content: null }));
  return (last.tool_calls ??= []);
}

const callOf = (item: Item) => ({
  id: String(item['call_id']),
  type: 'function' as const,
  function: { name: String(item['name']), arguments: String(item['arguments']) },
});

function contentOf(content: unknown): string | ContentPart[] {
  if (typeof content === 'string') return content;
  const parts = content as { type: string; text?: string; refusal?: string }[];
  const texts = parts.map(({ text, refusal }) => ({ type: 'text', text: text ?? refusal ?? '' }));
  return texts.length === 1 ? texts[0]!.text : texts;
}
