import type { Principal } from '@heddle/auth';
import type { ChatCompletion } from '../answer/chat-completion.js';
import { callOf, type ChatTrace } from './chat-trace.js';

const completion: ChatCompletion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'weavers/loom/agent',
  system_fingerprint: 'step3',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'no', refusal: null },
      logprobs: { content: [{ token: 'no', logprob: -1 }], refusal: null },
      finish_reason: 'stop',
      stop_reason: null,
      token_ids: [7],
    },
  ],
  usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
  prompt_token_ids: [1, 2, 3, 4, 5],
};

const trace = (outcome: ChatTrace['outcome']): ChatTrace => ({
  caller: {} as Principal,
  project: { id: 1, teamId: 't', entity: 'weavers', name: 'loom' },
  sent: { model: 'weavers/loom/agent', messages: [{ role: 'user', content: 'yes?' }], seed: 4 },
  bytes: 100,
  attributes: { step: 3 },
  startedAt: new Date('2026-01-01T00:00:00.000Z'),
  endedAt: new Date('2026-01-01T00:00:00.250Z'),
  outcome,
});

const parsed = (payload: unknown): unknown => JSON.parse(payload as string);

describe('callOf', () => {
  it('records what was asked, what was answered, what it took and how long', () => {
    const { id, start, end } = callOf(trace(completion));
    expect(start).toMatchObject({
      op_name: 'openai.chat.completions.create',
      started_at: 1767225600000000n,
      attributes: '{"step":3}',
    });
    expect(end!.ended_at).toBe(1767225600250000n);
    expect(start!.trace_id).not.toBe(id);
    expect(parsed(start!.inputs)).toMatchObject({ messages: [{ role: 'user', content: 'yes?' }], seed: 4 });
    expect(parsed(end!.output)).toMatchObject({ choices: [{ message: { content: 'no' }, finish_reason: 'stop' }] });
    const usage = { 'weavers/loom/agent': { requests: 1, prompt_tokens: 5, total_tokens: 6 } };
    expect(parsed(end!.summary)).toMatchObject({ usage });
  });

  it('leaves the tokens away', () => {
    expect(callOf(trace(completion)).end!.output).not.toMatch(/logprob|token_ids/);
  });

  it('records what went wrong', () => {
    const { end } = callOf(trace({ exception: 'The client left' }));
    expect(end).toEqual({ exception: 'The client left', ended_at: 1767225600250000n });
  });
});
