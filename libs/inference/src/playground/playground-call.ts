import type { NewCall } from '@heddle/tracing';
import type { Tracked } from './playground-request.js';

/** A completion as OpenAI's API has it, as far as it is kept. */
export interface Completed {
  model: string;
  usage?: object | null;
  choices: unknown[];
}

const OPERATION = 'chat';

/** The completion as a call, a span of the operation `chat`: agents' reads show it too. */
export function playgroundCall(
  chat: Readonly<Record<string, unknown>>,
  track: Tracked,
  { startedAt, endedAt }: { startedAt: Date; endedAt: Date },
  outcome: Completed | { exception: string },
): NewCall {
  const { spanId, traceId, parentId, conversationId, conversationName, source } = track;
  const model = String(chat['model']);
  const conversation = { id: conversationId, ...(conversationName === null ? {} : { name: conversationName }) };
  const genAi = { operation: { name: OPERATION }, provider: { name: 'heddle' }, request: { model }, conversation };
  const start = {
    trace_id: traceId,
    parent_id: parentId,
    thread_id: conversationId,
    turn_id: spanId,
    op_name: 'weave.completions_create',
    started_at: microsOf(startedAt),
    attributes: JSON.stringify({ gen_ai: genAi, ...(source === null ? {} : { source }) }),
    inputs: JSON.stringify(chat),
  };
  const ended_at = microsOf(endedAt);
  if ('exception' in outcome) return { id: spanId, start, end: { ended_at, exception: outcome.exception } };
  const usage = outcome.usage ? { [outcome.model]: { requests: 1, ...outcome.usage } } : {};
  return { id: spanId, start, end: { ended_at, output: JSON.stringify(outcome), summary: JSON.stringify({ usage }) } };
}

const microsOf = (time: Date): bigint => BigInt(time.getTime()) * 1000n;
