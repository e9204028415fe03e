import { ParameterError } from '@heddle/http';
import { type ChatRequest, readChatFields } from '../request/chat-request.js';
import { RequestFields } from '../request/request-fields.js';
import { type Item, messagesOf } from './input-items.js';
import type { ResponseRequest } from './response-request.js';

/** Fields that a chat has too, in another form or not for a response. */
const OWN = [
  'echo',
  'functions',
  'function_call',
  'logprobs',
  'max_tokens',
  'messages',
  'n',
  'prompt_logprobs',
  'response_format',
  'stream_options',
];
const LOGPROBS = 'message.output_text.logprobs';

/**
 * A response's request as the chat that it is: one reader knows formats, tools and sampling options for both.
 * @param history what earlier responses said, before `input`
 * @throws ParameterError that names the request's own fields
 */
export function chatOf({ fields, instructions, bytes }: ResponseRequest, history: readonly Item[]): ChatRequest {
  const told = instructions === null ? [] : [{ role: 'system' as const, content: instructions }];
  const { text: _text, ...all } = Object.fromEntries(
    Object.entries(fields.all).filter(([name]) => !OWN.includes(name)),
  );
  const logprobs = fields.array('include')?.includes(LOGPROBS) ?? false;
  const body = {
    ...all,
    messages: [...told, ...messagesOf(history)],
    tools: toolsOf(fields),
    tool_choice: choiceOf(fields),
    response_format: formatOf(fields),
    max_completion_tokens: all['max_output_tokens'],
    reasoning_effort: fields.object('reasoning')?.get('effort') ?? all['reasoning_effort'],
    logprobs,
    top_logprobs: logprobs ? all['top_logprobs'] : 0,
  };
  try {
    const chat = readChatFields(RequestFields.of(body, ''), bytes);
    return { ...chat, sent: fields.all, formatField: renamed(chat.formatField) };
  } catch (error) {
    throw error instanceof ParameterError ? inOwnWords(error) : error;
  }
}

function toolsOf(fields: RequestFields): object[] {
  const tools = fields.objects('tools') ?? [];
  for (const tool of tools) {
    const type = tool.required('type', tool.string('type'));
    if (type !== 'function')
      throw tool.refusal('type', `'${type}' is a tool that is not run here: only 'function' is supported`);
  }
  return tools.map(({ all }) => nested(all));
}

/** A function as chats have it, whether it is a tool or named by a choice. */
const nested = ({ type, ...described }: Readonly<Record<string, unknown>>): object => ({ type, function: described });

function choiceOf(fields: RequestFields): unknown {
  const choice = choiceFields(fields);
  if (!choice) return fields.get('tool_choice');
  const type = choice.required('type', choice.oneOf('type', ['function', 'allowed_tools']));
  if (type === 'function') return nested(choice.all);
  const tools = choice.objects('tools')?.map(({ all }) => nested(all));
  return { type, allowed_tools: { ...choice.all, tools } };
}

const choiceFields = (fields: RequestFields): RequestFields | undefined =>
  typeof fields.get('tool_choice') === 'object' ? fields.object('tool_choice') : undefined;

function formatOf(fields: RequestFields): object | null {
  const format = fields.object('text')?.object('format');
  if (!format) return null;
  const type = format.required('type', format.oneOf('type', ['text', 'json_object', 'json_schema']));
  if (type !== 'json_schema') return { type };
  const { type: _type, ...described } = format.all;
  return { type, json_schema: described };
}

/** What each field of the chat is called in the request. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\bmessages\b(\[\d+\])?/g, 'input'],
  [/\bresponse_format\.json_schema\b/g, 'text.format'],
  [/\bresponse_format\b/g, 'text.format'],
  [/\btool_choice\.allowed_tools\b/g, 'tool_choice'],
  [/\btool_choice\.function\b/g, 'tool_choice'],
  [/(\btools\[\d+\])\.function\b/g, '$1'],
  [/\bmax_completion_tokens\b/g, 'max_output_tokens'],
];

const renamed = (text: string): string => NAMES.reduce((name, [pattern, own]) => name.replace(pattern, own), text);

export function inOwnWords(error: ParameterError): ParameterError {
  const param = error.param === null ? null : renamed(error.param);
  return new ParameterError(param, renamed(error.message), { code: error.code, status: error.status });
}
