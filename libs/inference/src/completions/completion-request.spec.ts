import { readCompletionRequest } from './completion-request.js';

const read = (fields: Record<string, unknown>) =>
  readCompletionRequest(Buffer.from(JSON.stringify({ model: 'm', prompt: 'Once', ...fields })));

describe('readCompletionRequest', () => {
  it.each([
    ['Once', [{ text: 'Once', addSpecialTokens: true }]],
    [['Once'], [{ text: 'Once', addSpecialTokens: true }]],
    [
      ['a', 'b'],
      [
        { text: 'a', addSpecialTokens: true },
        { text: 'b', addSpecialTokens: true },
      ],
    ],
    [[1, 2], [{ tokenIds: [1, 2] }]],
    [
      [[1], [2, 3]],
      [{ tokenIds: [1] }, { tokenIds: [2, 3] }],
    ],
    [
      ['a', [7]],
      [{ text: 'a', addSpecialTokens: true }, { tokenIds: [7] }],
    ],
  ])('reads the prompt %j', (prompt, prompts) => {
    expect(read({ prompt }).prompts).toEqual(prompts);
  });

  it('samples 16 tokens where nobody says how many, and reports as many alternatives as logprobs says', () => {
    expect(read({})).toMatchObject({ options: { maxTokens: 16, topLogprobs: 0 }, answer: { logprobs: false, n: 1 } });
    expect(read({ logprobs: 0 })).toMatchObject({ options: { topLogprobs: 0 }, answer: { logprobs: true } });
    expect(read({ logprobs: 5, max_tokens: 3, n: 2, best_of: 2 })).toMatchObject({
      options: { maxTokens: 3, topLogprobs: 5, n: 2 },
      answer: { logprobs: true, n: 2 },
    });
  });

  it('asks for what is told of the prompt, by its own field or with the text', () => {
    const asked = (fields: Record<string, unknown>) => read(fields).options.promptLogprobs;
    expect(asked({ echo: true })).toBeUndefined();
    expect(asked({ logprobs: 3 })).toBeUndefined();
    expect(asked({ prompt_logprobs: 0 })).toBe(0);
    expect(asked({ echo: true, logprobs: 3 })).toBe(3);
    expect(asked({ echo: true, logprobs: 3, prompt_logprobs: 5 })).toBe(5);
    expect(read({ echo: true, logprobs: 3, prompt_logprobs: 5 }).answer).toMatchObject({
      alternatives: 3,
      promptLogprobs: 5,
    });
  });

  it('samples nothing where it is the prompt alone that is wanted', () => {
    const alone = read({ echo: true, max_tokens: 0, logprobs: 1 });
    expect(alone).toMatchObject({ options: { maxTokens: 1 }, answer: { samples: false } });
    expect(alone.sent).toMatchObject({ max_tokens: 0 });
    expect(read({ echo: true, max_tokens: 1 }).answer.samples).toBe(true);
  });

  it.each([
    ['prompt', { prompt: null }],
    ['prompt', { prompt: '' }],
    ['prompt', { prompt: [] }],
    ['prompt', { prompt: 5 }],
    ['prompt', { prompt: ['a', ''] }],
    ['prompt', { prompt: [[1], []] }],
    ['prompt', { prompt: [1, -1] }],
    ['prompt', { prompt: [1, 'a'] }],
    ['prompt', { prompt: ['a', 'b'], n: 65 }],
    ['logprobs', { logprobs: true }],
    ['logprobs', { logprobs: 21 }],
    ['prompt_logprobs', { prompt_logprobs: 21 }],
    ['prompt_logprobs', { prompt_logprobs: 0, stream: true }],
    ['best_of', { best_of: 3 }],
    ['suffix', { suffix: 'the end' }],
    ['use_beam_search', { use_beam_search: true }],
    ['max_tokens', { max_tokens: 0 }],
    ['echo', { echo: 'yes' }],
    ['model', { model: 7 }],
  ])('refuses %s: %j', (param, fields) => {
    expect(() => read(fields)).toThrow(expect.objectContaining({ param, status: 400 }));
  });

  it('takes what says nothing for absent', () => {
    const nothing = { suffix: '', use_beam_search: false, prompt_logprobs: null, best_of: null, user: 'me' };
    expect(read(nothing).prompts).toHaveLength(1);
  });
});
