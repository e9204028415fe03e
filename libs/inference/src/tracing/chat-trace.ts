import type { Principal } from '@heddle/auth';
import type { ProjectRef } from '@heddle/projects';
import type { TracedAnswer } from '../answer/answer-form.js';

/** One answer, as the tracing API stores it. */
export interface ChatTrace {
  caller: Principal;
  project: ProjectRef;
  /** Default: that of chats. */
  operation?: string;
  /** The request's body. */
  sent: Readonly<Record<string, unknown>>;
  /** Of that body. */
  bytes: number;
  attributes: Record<string, unknown>;
  startedAt: Date;
  endedAt: Date;
  /** The whole answer, or what went wrong. */
  outcome: TracedAnswer | { exception: string };
}

interface Tokens {
  logprobs?: unknown;
  token_ids?: unknown;
  prompt_token_ids?: unknown;
}

const CHAT = 'openai.chat.completions.create';

/** The call, as a client that traces for itself would send it. */
export function callOf(trace: ChatTrace): Record<string, unknown> {
  const { operation = CHAT, sent, attributes, startedAt, endedAt, outcome } = trace;
  const call = {
    op_name: operation,
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
function legible(answer: TracedAnswer): object {
  const { prompt_token_ids: _ids, choices, ...rest } = answer as TracedAnswer & { [name: string]: unknown };
  return { ...rest, ...(Array.isArray(choices) ? { choices: choices.map(withoutTokens) } : {}) };
}

function withoutTokens({ logprobs: _logprobs, token_ids: _tokens, prompt_token_ids: _ids, ...choice }: Tokens): object {
  return choice;
}
