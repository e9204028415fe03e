import type { GenerateEvent } from '@heddle/engine';
import type { AnswerOptions } from '../request/chat-request.js';
import { ChatChunks } from './chat-chunks.js';
import { DONE } from './event-text.js';

const OPTIONS: AnswerOptions = {
  stream: true,
  includeUsage: false,
  logprobs: false,
  promptLogprobs: null,
  tokenIds: false,
  tokensAsIds: false,
  readsToolCalls: false,
  parallelToolCalls: true,
  legacyCalls: false,
  echoed: '',
};
const identity = { id: 'chatcmpl-1', created: 1, model: 'm', system_fingerprint: 'step1' };
const texts = { of: (id: number) => ({ token: String.fromCharCode(id), bytes: [id] }) };

const tokens = (text: string, choice = 0, shown = text): GenerateEvent => ({
  type: 'tokens',
  choice,
  tokens: [...text].map((character) => ({ id: character.charCodeAt(0), logprob: -0.5, top: [] })),
  text: shown,
});
const finished = (reason: 'stop' | 'length' | 'tool_calls' = 'stop', choice = 0): GenerateEvent => ({
  type: 'finished',
  choice,
  reason,
  stop: null,
  toolCalls: [],
  content: null,
});

interface Chunk {
  choices: { index: number; delta: object; finish_reason: string | null; logprobs: unknown; token_ids?: number[] }[];
  usage?: unknown;
  prompt_token_ids?: number[];
}

function chunks(events: GenerateEvent[], options: Partial<AnswerOptions> = {}): Chunk[] {
  const writer = new ChatChunks(identity, { ...OPTIONS, ...options }, texts);
  const text = [{ type: 'prompt' as const, tokenIds: [1, 2] }, ...events].map((event) => writer.after(event)).join('');
  const whole = text + writer.end();
  expect(whole.endsWith(DONE)).toBe(true);
  return whole
    .slice(0, -DONE.length)
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.replace(/^data: /, '')) as Chunk);
}
const deltas = (all: Chunk[]) => all.flatMap(({ choices }) => choices.map(({ delta }) => delta));

describe('ChatChunks', () => {
  it('says who speaks, what, and why it ends', () => {
    const all = chunks([tokens('a'), tokens('b'), finished('length')]);
    expect(deltas(all)).toEqual([{ role: 'assistant', content: '' }, { content: 'a' }, { content: 'b' }, {}]);
    expect(all.map(({ choices }) => choices[0]!.finish_reason)).toEqual([null, null, null, 'length']);
    expect(all[0]).toMatchObject({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'm' });
  });

  it('opens each choice for itself', () => {
    const all = chunks([tokens('a', 1), tokens('b', 0), finished('stop', 1), finished('stop', 0)]);
    expect(all.map(({ choices }) => choices[0]!.index)).toEqual([1, 1, 0, 0, 1, 0]);
  });

  it('gives tokens with the chunk that follows them, also where their text is held back', () => {
    const all = chunks([tokens('a', 0, ''), tokens('b', 0, 'ab'), finished()], { logprobs: true, tokenIds: true });
    expect(deltas(all)).toEqual([{ role: 'assistant', content: '' }, {}, { content: 'ab' }, {}]);
    expect(all.map(({ choices }) => choices[0]!.token_ids)).toEqual([undefined, [97], [98], undefined]);
    expect(all[1]!.choices[0]!.logprobs).toEqual({
      content: [{ token: 'a', logprob: -0.5, bytes: [97], top_logprobs: [] }],
      refusal: null,
    });
    expect(all.map(({ prompt_token_ids }) => prompt_token_ids)).toEqual([[1, 2], undefined, undefined, undefined]);
  });

  it('says nothing of tokens that nobody wants to know of', () => {
    expect(deltas(chunks([tokens('a', 0, ''), finished()]))).toEqual([{ role: 'assistant', content: '' }, {}]);
  });

  it('ends with what it took, where that is asked for', () => {
    const all = chunks([tokens('abc'), finished()], { includeUsage: true });
    expect(all.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
    });
    expect(all.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  describe('where there are tools', () => {
    const call = (city: string) => `<tool_call>\n{"name": "look", "arguments": {"city": "${city}"}}\n</tool_call>`;
    const pieces = (text: string) => (text.match(/.{1,7}/gs) ?? []).map((piece) => tokens(piece));
    const calls = (all: Chunk[]) =>
      deltas(all).flatMap((delta) => ('tool_calls' in delta ? (delta.tool_calls as object[]) : []));
    const content = (all: Chunk[]) =>
      deltas(all)
        .map((delta) => ('content' in delta ? (delta.content ?? '') : ''))
        .join('');

    it('turns calls into deltas, numbered, and shows nothing of how they were written', () => {
      const text = `Let me see. ${call('Oslo')}\n${call('Rome')}`;
      const all = chunks([...pieces(text), finished('tool_calls')], { readsToolCalls: true });
      expect(content(all)).toBe('Let me see.');
      expect(calls(all)).toMatchObject([
        {
          index: 0,
          id: expect.stringMatching(/^call_/),
          type: 'function',
          function: { arguments: '{"city": "Oslo"}' },
        },
        { index: 1, function: { name: 'look', arguments: '{"city": "Rome"}' } },
      ]);
    });

    it('stops at the first call where they must not be parallel', () => {
      const options = { readsToolCalls: true, parallelToolCalls: false };
      expect(calls(chunks([...pieces(call('Oslo') + call('Rome')), finished()], options))).toHaveLength(1);
    });

    it('reads bare calls where the model writes such', () => {
      const prompt = { type: 'prompt' as const, tokenIds: [1], toolCalls: 'bare' as const };
      const text = '{"name": "look", "parameters": {"city": "Oslo"}}';
      const all = chunks([prompt, ...pieces(text), finished('tool_calls')], { readsToolCalls: true });
      expect(calls(all)).toMatchObject([{ index: 0, function: { name: 'look', arguments: '{"city": "Oslo"}' } }]);
      expect(content(all)).toBe('');
    });

    it('gives up a beginning that never became a call', () => {
      const all = chunks([...pieces('a <tool_call>\n{"na'), finished('length')], { readsToolCalls: true });
      expect([content(all), calls(all)]).toEqual(['a <tool_call>\n{"na', []]);
    });
  });
});
