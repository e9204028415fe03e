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

describe('callOf', () => {
  it('records what was asked, what was answered, what it took and how long', () => {
    expect(callOf(trace(completion))).toMatchObject({
      op_name: 'openai.chat.completions.create',
      started_at: '2026-01-01T00:00:00.000Z',
      ended_at: '2026-01-01T00:00:00.250Z',
      inputs: { messages: [{ role: 'user', content: 'yes?' }], seed: 4 },
      attributes: { step: 3 },
      output: { choices: [{ message: { content: 'no' }, finish_reason: 'stop' }] },
      summary: { usage: { 'weavers/loom/agent': { requests: 1, prompt_tokens: 5, total_tokens: 6 } } },
    });
  });

  it('leaves the tokens away', () => {
    expect(JSON.stringify(callOf(trace(completion)).output)).not.toMatch(/logprob|token_ids/);
  });

  it('records what went wrong', () => {
    const call = callOf(trace({ exception: 'The client left' }));
    expect(call).toMatchObject({ exception: 'The client left', ended_at: expect.any(String) });
    expect(call).not.toHaveProperty('output');
  });
});
