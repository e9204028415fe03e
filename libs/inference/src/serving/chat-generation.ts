import type { ChatRequest } from '../request/chat-request.js';
import type { GenerationRequest } from './generation-request.js';

/** @param promptField what the request calls its messages */
export function chatGeneration(request: ChatRequest, promptField: string): GenerationRequest {
  const { model, messages, tools, context, options, formatField, answer, sent, bytes } = request;
  return {
    model,
    prompts: [{ messages, tools, ...context }],
    options,
    stream: answer.stream,
    tokenIds: answer.tokenIds,
    promptField,
    formatField,
    parts: messages.length,
    sent,
    bytes,
  };
}
