import type { SamplingOptions } from '../protocol/generate.js';
import { checkSamplingOptions, type ResolvedOptions } from './sampling-options.js';

const check = (options: SamplingOptions, promptLength = 10): ResolvedOptions =>
  checkSamplingOptions(options, { contextLength: 100, promptLength, vocabularySize: 264 });

describe('checkSamplingOptions', () => {
  it('reads bad words as tokens, behind a space too where that is another token', () => {
    const words: Record<string, number[]> = { cat: [1, 2], ' cat': [3, 2], dog: [4], ' dog': [5, 4] };
    const limits = {
      contextLength: 100,
      promptLength: 10,
      vocabularySize: 264,
      encode: (text: string) => words[text]!,
    };
    const { badWords } = checkSamplingOptions({ badWords: ['cat', ' dog'] }, limits);
    expect(badWords).toEqual([[1, 2], [3, 2], [4]]);
  });

  it('fills in defaults: what the context leaves, temperature 1, nothing else', () => {
    expect(check({})).toEqual({
      n: 1,
      maxTokens: 90,
      minTokens: 0,
      temperature: 1,
      topP: 1,
      topK: 0,
      minP: 0,
      repetitionPenalty: 1,
      presencePenalty: 0,
      frequencyPenalty: 0,
      stop: [],
      includeStop: false,
      stopTokenIds: [],
      ignoreEos: false,
      seed: null,
      logitBias: [],
      topLogprobs: 0,
      format: null,
    });
  });

  it("takes the base model's defaults for what is left out, as far as the context allows", () => {
    const defaults = { temperature: 0.6, topP: 0.95, topK: 20, minP: 0.1, repetitionPenalty: 1.05, maxTokens: 40 };
    const limits = { contextLength: 100, promptLength: 10, vocabularySize: 264, defaults };
    expect(checkSamplingOptions({}, limits)).toEqual({ ...check({}), ...defaults });
    expect(checkSamplingOptions({ temperature: 0, topK: 0, maxTokens: 80 }, limits)).toMatchObject({
      temperature: 0,
      topP: 0.95,
      topK: 0,
      maxTokens: 80,
    });
    expect(checkSamplingOptions({}, { ...limits, promptLength: 70 }).maxTokens).toBe(30);
  });

  it.each<[string, SamplingOptions]>([
    ['n', { n: 129 }],
    ['n', { n: 1.5 }],
    ['max_tokens', { maxTokens: 0 }],
    ['min_tokens', { minTokens: 5, maxTokens: 4 }],
    ['temperature', { temperature: -0.1 }],
    ['temperature', { temperature: NaN }],
    ['top_p', { topP: 0 }],
    ['top_p', { topP: 1.01 }],
    ['top_k', { topK: -2 }],
    ['min_p', { minP: 1.1 }],
    ['repetition_penalty', { repetitionPenalty: 0 }],
    ['presence_penalty', { presencePenalty: 2.1 }],
    ['frequency_penalty', { frequencyPenalty: -2.1 }],
    ['stop', { stop: [''] }],
    ['stop', { stop: Array<string>(17).fill('x') }],
    ['stop', { stop: ['x'.repeat(1001)] }],
    ['stop_token_ids', { stopTokenIds: [264] }],
    ['allowed_token_ids', { allowedTokenIds: [264] }],
    ['allowed_token_ids', { allowedTokenIds: [] }],
    ['bad_words', { badWords: [''] }],
    ['seed', { seed: 0.5 }],
    ['logit_bias', { logitBias: { 264: 1 } }],
    ['logit_bias', { logitBias: { '1.0': 1 } }],
    ['logit_bias', { logitBias: { '-1': 1 } }],
    ['logit_bias', { logitBias: { 1: 101 } }],
    ['top_logprobs', { topLogprobs: 21 }],
  ])('refuses %s by its name on the wire: %j', (param, options) => {
    expect(() => check(options)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param, message: expect.stringContaining(param.slice(0, 4)) }),
    );
  });

  it('takes what lies on the limits', () => {
    expect(
      check({
        n: 128,
        maxTokens: 90,
        minTokens: 90,
        temperature: 5,
        topK: -1,
        minP: 1,
        seed: -(2 ** 63),
        topLogprobs: 20,
      }),
    ).toMatchObject({ n: 128, maxTokens: 90, topK: 0, temperature: 5 });
  });

  it('says how long prompt and completion would be, as OpenAI does', () => {
    expect(() => check({ maxTokens: 91 })).toThrow(
      expect.objectContaining({
        code: 'context_length_exceeded',
        param: 'messages',
        message:
          "This model's maximum context length is 100 tokens. However, you requested 101 tokens (10 in the messages, " +
          '91 in the completion). Please reduce the length of the messages or completion.',
      }),
    );
  });

  it.each([100, 101])('refuses a prompt of %i tokens that leaves no room', (promptLength) => {
    expect(() => check({}, promptLength)).toThrow(expect.objectContaining({ code: 'context_length_exceeded' }));
  });

  it('lets a format end where it ends', () => {
    expect(check({ ignoreEos: true, format: { type: 'json_object' } }).ignoreEos).toBe(false);
  });
});
