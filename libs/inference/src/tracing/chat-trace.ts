import type { Principal } from '@heddle/auth';
import type { ProjectRef } from '@heddle/projects';
import { makeId, type NewCall } from '@heddle/tracing';
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

/** The call that the answer was. */
export function callOf({ operation = CHAT, sent, attributes, startedAt, endedAt, outcome }: ChatTrace): NewCall {
  const start = {
    trace_id: makeId(),
    op_name: operation,
    started_at: microsOf(startedAt),
    attributes: JSON.stringify(attributes),
    inputs: JSON.stringify(sent),
  };
  const ended_at = microsOf(endedAt);
  if ('exception' in outcome) return { id: makeId(), start, end: { ended_at, exception: outcome.exception } };
  const usage = { [outcome.model]: { requests: 1, ...outcome.usage } };
  const end = { ended_at, output: JSON.stringify(legible(outcome)), summary: JSON.stringify({ usage }) };
  return { id: makeId(), start, end };
}

const microsOf = (time: Date): bigint => BigInt(time.getTime()) * 1000n;

/** Without the tokens: they are for training, and many times larger than what people read. */
function legible(answer: TracedAnswer): object {
  const { prompt_token_ids: _ids, choices, ...rest } = answer as TracedAnswer & { [name: string]: unknown };
  return { ...rest, ...(Array.isArray(choices) ? { choices: choices.map(withoutTokens) } : {}) };
}

function withoutTokens({ logprobs: _logprobs, token_ids: _tokens, prompt_token_ids: _ids, ...choice }: Tokens): object {
  return choice;
}
