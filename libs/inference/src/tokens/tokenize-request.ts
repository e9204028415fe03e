import type { Prompt } from '@heddle/engine';
import { readMessages } from '../request/chat-request.js';
import { readPromptContext } from '../request/prompt-context.reader.js';
import { readBody } from '../request/request-body.js';
import type { RequestFields } from '../request/request-fields.js';
import { readToolUse } from '../request/tool-use.reader.js';

export interface TokenizeRequest {
  model: string;
  prompt: Prompt;
  /** Whether each token is also written out. */
  tokenStrings: boolean;
  bytes: number;
}

export interface DetokenizeRequest {
  model: string;
  tokens: number[];
}

/** Reads the body of `/tokenize`: a text, or a chat. @throws ParameterError */
export function readTokenizeRequest(body: Buffer): TokenizeRequest {
  const fields = readBody(body);
  const model = fields.required('model', fields.string('model'));
  const prompt = fields.has('messages') ? readChat(fields) : readText(fields);
  return { model, prompt, tokenStrings: fields.boolean('return_token_strs') ?? false, bytes: body.length };
}

/** @throws ParameterError */
export function readDetokenizeRequest(body: Buffer): DetokenizeRequest {
  const fields = readBody(body);
  const model = fields.required('model', fields.string('model'));
  const tokens = fields.required('tokens', fields.array('tokens'));
  if (!tokens.every((id) => Number.isSafeInteger(id) && (id as number) >= 0)) {
    throw fields.refusal('tokens', 'must be token ids');
  }
  return { model, tokens: tokens as number[] };
}

function readText(fields: RequestFields): Prompt {
  const text = fields.required('prompt', fields.string('prompt'));
  return { text, addSpecialTokens: fields.boolean('add_special_tokens') ?? true };
}

/** A template has written the special tokens where it wants them. */
function readChat(fields: RequestFields): Prompt {
  if (fields.boolean('add_special_tokens'))
    throw fields.refusal('add_special_tokens', 'is for a prompt, not for messages');
  return { messages: readMessages(fields), tools: readToolUse(fields).tools, ...readPromptContext(fields) };
}
