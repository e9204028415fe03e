import type { BaseModelInfo } from '@heddle/engine';
import { ParameterError } from '@heddle/http';
import type { ChatRequest } from '../request/chat-request.js';

/** More than any token takes of a body, on average over a whole prompt: also where each character is an escape. */
const MAX_BYTES_PER_TOKEN = 256;
/** For all fields of a request that are no prompt. */
const OTHER_FIELDS = 64 * 1024;

/**
 * Refuses what can't fit into the context before anybody reads it: rendering and tokenizing megabytes would hold up all
 * others.
 */
export function refuseOversized({ messages, bytes }: ChatRequest, { contextLength }: BaseModelInfo): void {
  const fits = messages.length <= contextLength && bytes <= contextLength * MAX_BYTES_PER_TOKEN + OTHER_FIELDS;
  if (fits) return;
  throw new ParameterError(
    'messages',
    `This model's maximum context length is ${contextLength} tokens. However, your request has ${messages.length} ` +
      `messages in ${bytes} bytes, which can't fit. Please reduce the length of the messages.`,
    { code: 'context_length_exceeded' },
  );
}
