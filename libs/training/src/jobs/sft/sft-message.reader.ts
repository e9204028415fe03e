import type { ChatMessage, ContentPart } from '@heddle/engine';
import { BadPlace, type Fields, objectAt, textAt } from './bad-place.js';
import { readToolCalls } from './sft-tools.reader.js';

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];
/** They must say something; of a tool nothing is an answer, too. */
const SPEAKERS = ['system', 'developer', 'user'];
const CONTENT = 'must be a text or an array of parts with a type';

/** @param trained whether it is learnt, so that there must be something to learn. @throws BadPlace */
export function readMessage(value: unknown, path: string[], trained: boolean): ChatMessage {
  const given = objectAt(value, path, 'must be a message');
  const { weight: _, loss_mask: _mask, tool_calls, function_call, refusal, ...rest } = given;
  const role = given['role'];
  if (!ROLES.includes(role as string)) throw new BadPlace([...path, 'role'], `must be one of ${ROLES.join(', ')}`);
  for (const name of ['name', 'tool_call_id']) {
    if (typeof (given[name] ?? '') !== 'string') throw new BadPlace([...path, name], 'must be a text');
  }
  const content = contentOf(given, path);
  const message = { ...rest, ...(content !== undefined && { content }) } as ChatMessage;
  if (role !== 'assistant') {
    refuseCalls(tool_calls, path);
    return message;
  }
  const calls = readToolCalls(tool_calls, function_call, path);
  const said = isEmpty(content) && isText(refusal) ? refusal : content;
  if (trained && isEmpty(said) && !calls?.length) {
    throw new BadPlace([...path, 'content'], 'is empty, and there are no tool_calls: nothing can be learnt from it');
  }
  return {
    ...message,
    ...(said !== undefined && { content: said }),
    ...(calls !== undefined && { tool_calls: calls }),
  };
}

function contentOf({ role, content }: Fields, path: string[]): ChatMessage['content'] {
  const place = [...path, 'content'];
  if (content === undefined || content === null) {
    if (SPEAKERS.includes(role as string)) throw new BadPlace(place, CONTENT);
    return content;
  }
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw new BadPlace(place, role === 'assistant' ? `${CONTENT}, or null` : CONTENT);
  return content.map((part: unknown, i) => readPart(part, role === 'assistant', [...place, String(i)]));
}

/** What the assistant refuses with is what it says. */
function readPart(value: unknown, isAssistants: boolean, path: string[]): ContentPart {
  const part = objectAt(value, path, 'must be an object with a type and a text');
  if (isAssistants && part['type'] === 'refusal') {
    return { type: 'text', text: textAt(part['refusal'], [...path, 'refusal']) };
  }
  if (part['type'] !== 'text') {
    const given = JSON.stringify(part['type'])?.slice(0, 40) ?? 'missing';
    throw new BadPlace(
      [...path, 'type'],
      `must be "text": it is ${given}, and images, sounds and files are not learnt`,
    );
  }
  textAt(part['text'], [...path, 'text']);
  return part as unknown as ContentPart;
}

function refuseCalls(calls: unknown, path: string[]): void {
  if (calls === undefined || calls === null || (Array.isArray(calls) && calls.length === 0)) return;
  throw new BadPlace([...path, 'tool_calls'], 'must be left out: the assistant alone calls tools');
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function isEmpty(content: ChatMessage['content']): boolean {
  return typeof content === 'string' ? content === '' : !content?.some(({ text }) => text !== '');
}
