import { parseSamplingDefaults } from './generation-config-file.js';
import { JsonFields } from './json-fields.js';

const parse = (file: Record<string, unknown>) => parseSamplingDefaults(new JsonFields('generation_config.json', file));

describe('generation_config.json', () => {
  it('gives defaults of sampling, and nothing for what it leaves open', () => {
    expect(
      parse({ temperature: 0.6, top_p: 0.95, top_k: 20, min_p: 0.01, repetition_penalty: 1.05, max_new_tokens: 512 }),
    ).toEqual({ temperature: 0.6, topP: 0.95, topK: 20, minP: 0.01, repetitionPenalty: 1.05, maxTokens: 512 });
    expect(parse({ temperature: null, do_sample: false, max_length: 20, eos_token_id: [1, 2] })).toEqual({});
    expect(parseSamplingDefaults(null)).toEqual({});
  });

  it('may switch options off', () => {
    expect(parse({ temperature: 0, top_p: 1, top_k: 0, repetition_penalty: 1 })).toEqual({
      temperature: 0,
      topP: 1,
      topK: 0,
      repetitionPenalty: 1,
    });
  });

  it.each([
    [{ temperature: -1 }, 'temperature is -1, expected a number from 0 on'],
    [{ temperature: '0.6' }, 'temperature is "0.6", expected a number from 0 on'],
    [{ top_p: 0 }, 'top_p is 0, expected a number above 0 and at most 1'],
    [{ top_k: 2.5 }, 'top_k is 2.5, expected a whole number from -1 on'],
    [{ min_p: 2 }, 'min_p is 2, expected a number from 0 to 1'],
    [{ repetition_penalty: 0 }, 'repetition_penalty is 0, expected a number above 0'],
    [{ max_new_tokens: 0 }, 'max_new_tokens is 0, expected a whole number from 1 on'],
  ])('is refused with %j', (file, message) => {
    expect(() => parse(file)).toThrow(
      expect.objectContaining({ code: 'bad_model', message: expect.stringContaining(message) }),
    );
  });
});
