import type { ChatMessage, SftExample } from '@heddle/engine';
import { BadPlace, type Fields, listAt, objectAt } from './bad-place.js';
import { refuseOtherFormat } from './other-formats.js';
import { isTrained, readMask } from './sft-mask.js';
import { readMessage } from './sft-message.reader.js';
import { readTools } from './sft-tools.reader.js';

/**
 * Reads an example in the format of OpenAI's fine-tuning files, with its older `functions` and `function_call` and the marks
 * for what is not learnt: `weight` and `loss_mask`. Other keys are kept.
 * @throws BadPlace
 */
export function readExample(value: unknown): SftExample {
  const given = objectAt(value, [], 'must be an object with messages');
  refuseOtherFormat(given);
  const { messages, tools, functions, loss_mask: mask, parallel_tool_calls, chat_template_kwargs, ...rest } = given;
  // Names of what this function adds.
  delete rest['untrained'];
  delete rest['templateVariables'];
  const list = listAt(messages, ['messages'], 'must be an array with at least one message') ?? [];
  if (list.length === 0) throw new BadPlace(['messages'], 'must be an array with at least one message');
  const whole = readMask(mask, list.length);
  const trained = list.map((message, i) => isTrained(message as Fields, whole?.[i], ['messages', String(i)]));
  const read = list.map((message, i) => readMessage(message, ['messages', String(i)], trained[i]!));
  requireAssistantLast(read);
  requireParallel(parallel_tool_calls, read);
  const untrained = read.flatMap(({ role }, i) => (role === 'assistant' && !trained[i] ? [i] : []));
  return {
    ...rest,
    messages: read,
    ...readTools(tools, functions),
    ...(untrained.length > 0 && { untrained }),
    ...readVariables(chat_template_kwargs),
  };
}

function requireAssistantLast(messages: readonly ChatMessage[]): void {
  const last = messages.length - 1;
  if (messages[last]!.role === 'assistant') return;
  throw new BadPlace(
    ['messages', String(last), 'role'],
    'must be assistant: what the assistant says is learnt, and nothing follows it',
  );
}

/** `false` promises that no message calls more than one tool. */
function requireParallel(value: unknown, messages: readonly ChatMessage[]): void {
  if (value !== undefined && value !== null && typeof value !== 'boolean') {
    throw new BadPlace(['parallel_tool_calls'], 'must be true or false');
  }
  const many = value === false ? messages.findIndex(({ tool_calls: calls }) => (calls?.length ?? 0) > 1) : -1;
  if (many < 0) return;
  throw new BadPlace(['messages', String(many), 'tool_calls'], 'must hold one call where parallel_tool_calls is false');
}

function readVariables(value: unknown): Pick<SftExample, 'templateVariables'> {
  if (value === undefined || value === null) return {};
  return { templateVariables: objectAt(value, ['chat_template_kwargs'], 'must be an object') };
}
