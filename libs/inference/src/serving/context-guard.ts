import type { BaseModelInfo } from '@heddle/engine';
import { ParameterError } from '@heddle/http';
import type { GenerationRequest } from './generation-request.js';

/** More than any token takes of a body, on average over a whole prompt: also where each character is an escape. */
const MAX_BYTES_PER_TOKEN = 256;
/** For all fields of a request that are no prompt. */
const OTHER_FIELDS = 64 * 1024;

/**
 * Refuses what can't fit into the context before anybody reads it: rendering and tokenizing megabytes would hold up all
 * others.
 */
export function refuseOversized(
  {
    prompts,
    parts,
    promptField,
    ...request
  }: Pick<GenerationRequest, 'prompts' | 'parts' | 'bytes' | 'promptBytes' | 'promptField'>,
  base: BaseModelInfo,
): void {
  const bytes = request.promptBytes ?? request.bytes;
  if (mayFit({ prompts: prompts.length, parts, bytes }, base)) return;
  const { contextLength } = base;
  throw new ParameterError(
    promptField,
    `This model's maximum context length is ${contextLength} tokens. However, your request has ${parts} ` +
      `messages or texts in ${bytes} bytes, which can't fit. Please reduce the length of the ${promptField}.`,
    { code: 'context_length_exceeded' },
  );
}

/** Whether it isn't certain that so much text has more tokens than the context. */
export const mayFit = (
  { prompts, parts, bytes }: { prompts: number; parts: number; bytes: number },
  { contextLength }: BaseModelInfo,
): boolean => parts <= contextLength * prompts && bytes <= prompts * contextLength * MAX_BYTES_PER_TOKEN + OTHER_FIELDS;
