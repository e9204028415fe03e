import type { Principal } from '@heddle/auth';
import type { ProjectRef } from '@heddle/projects';
import type { ChatCompletion } from '../answer/chat-completion.js';

/** One chat completion, as the tracing API stores it. */
export interface ChatTrace {
  caller: Principal;
  project: ProjectRef;
  /** The request's body. */
  sent: Readonly<Record<string, unknown>>;
  /** Of that body. */
  bytes: number;
  attributes: Record<string, unknown>;
  startedAt: Date;
  endedAt: Date;
  /** The whole answer, or what went wrong. */
  outcome: ChatCompletion | { exception: string };
}

export const OP_NAME = 'openai.chat.completions.create';

/** The call, as a client that traces for itself would send it. */
export function callOf(trace: ChatTrace): Record<string, unknown> {
  const { sent, attributes, startedAt, endedAt, outcome } = trace;
  const call = {
    op_name: OP_NAME,
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    attributes,
    inputs: sent,
  };
  if ('exception' in outcome) return { ...call, exception: outcome.exception };
  const usage = { [outcome.model]: { requests: 1, ...outcome.usage } };
  return { ...call, output: legible(outcome), summary: { usage } };
}

/** Without the tokens: they are for training, and many times larger than what people read. */
function legible({ prompt_token_ids: _ids, ...completion }: ChatCompletion): object {
  const choices = completion.choices.map(({ logprobs: _logprobs, token_ids: _tokens, ...choice }) => choice);
  return { ...completion, choices };
}
