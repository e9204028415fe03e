import type { AnswerEvent } from '../answer/answer-form.js';
import { ResponseOutput } from './response-output.js';

const texts = { of: (id: number) => ({ token: String.fromCharCode(id), bytes: [id] }) };
const tokens = (text: string): AnswerEvent => ({
  type: 'tokens',
  choice: 0,
  tokens: [...text].map((character) => ({ id: character.charCodeAt(0), logprob: -0.5, top: [] })),
  text,
});
const finished = (reason: 'stop' | 'length' = 'stop'): AnswerEvent => ({
  type: 'finished',
  choice: 0,
  reason,
  stop: null,
  toolCalls: [],
  content: null,
});
const call = (city: string): string => `<tool_call>\n{"name": "look", "arguments": {"city": "${city}"}}\n</tool_call>`;

function outputOf(
  pieces: string[],
  { ending = finished(), tools = false, parallelToolCalls = true, logprobs = false } = {},
): ResponseOutput & { types: string[] } {
  const output = new ResponseOutput({ logprobs, readsToolCalls: tools, parallelToolCalls }, texts);
  const events = [{ type: 'prompt' as const, tokenIds: [1, 2] }, ...pieces.map(tokens), ending];
  const types = events.flatMap((event) => output.push(event)).map(({ type }) => type.replace('response.', ''));
  return Object.assign(output, { types });
}

const message = (text: string, status = 'completed') => ({ type: 'message', status, content: [{ text }] });
const called = (city: string) => ({ type: 'function_call', name: 'look', arguments: `{"city": "${city}"}` });

describe('ResponseOutput', () => {
  it('is a message that grows', () => {
    const output = outputOf(['a', 'b']);
    expect(output.items).toMatchObject([message('ab')]);
    expect(output.types).toEqual([
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
    ]);
    expect(output).toMatchObject({ promptTokens: [1, 2], sampled: [{ id: 97 }, { id: 98 }], isCut: false });
  });

  it('tells all of its tokens, whatever items they became', () => {
    const { generation, items } = outputOf([`Wait.${call('Oslo')}`], { tools: true });
    expect(generation).toMatchObject({ prompt_token_ids: [1, 2], output_indices: [0, 1] });
    expect(generation.output_tokens.slice(0, 2)).toEqual([
      { token_id: 87, logprob: -0.5 },
      { token_id: 97, logprob: -0.5 },
    ]);
    expect(items).toHaveLength(2);
    expect(generation.output_tokens).toHaveLength(`Wait.${call('Oslo')}`.length);
  });

  it('is an empty message where nothing was said', () => {
    expect(outputOf([]).items).toMatchObject([message('')]);
  });

  it('is cut where the limit ended it', () => {
    const output = outputOf(['a'], { ending: finished('length') });
    expect(output.isCut).toBe(true);
    expect(output.items).toMatchObject([message('a', 'incomplete')]);
  });

  it('is calls, without the white space around them', () => {
    const output = outputOf(['\n', call('Oslo'), '\n', call('Rome')], { tools: true });
    expect(output.items).toMatchObject([called('Oslo'), called('Rome')]);
  });

  it('is first what was said, then what was called', () => {
    expect(outputOf([`Wait.${call('Oslo')}`], { tools: true }).items).toMatchObject([message('Wait.'), called('Oslo')]);
  });

  it('is one call where there must not be more', () => {
    const options = { tools: true, parallelToolCalls: false };
    expect(outputOf([call('Oslo') + call('Rome')], options).items).toMatchObject([called('Oslo')]);
  });

  it('keeps the log probabilities of its tokens where they are asked for', () => {
    const [item] = outputOf(['a', 'b'], { logprobs: true }).items;
    expect(item).toMatchObject({ content: [{ logprobs: [{ token: 'a' }, { token: 'b' }] }] });
  });
});
