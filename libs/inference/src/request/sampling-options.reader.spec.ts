import { SAMPLING_SETTINGS, type SamplingOptions } from '@heddle/engine';
import { ParameterError } from '@heddle/http';
import fc from 'fast-check';
import { checkSamplingOptions } from '../../../engine/src/sampling/sampling-options.js';
import { RequestFields } from './request-fields.js';
import { readSamplingOptions } from './sampling-options.reader.js';

const read = (body: Record<string, unknown>): SamplingOptions => readSamplingOptions(RequestFields.of(body, ''));
/** On a model that is large enough for any of the options below. */
const check = (options: SamplingOptions) =>
  checkSamplingOptions(options, { contextLength: 1e6, promptLength: 1, vocabularySize: 1000 });

describe('readSamplingOptions', () => {
  it('reads one item for a list of one', () => {
    expect(read({ stop: 'end', stop_token_ids: 7 })).toEqual({ stop: ['end'], stopTokenIds: [7] });
  });

  it('prefers the newer name of max_tokens', () => {
    expect(read({ max_tokens: 9, max_completion_tokens: 5 })).toEqual({ maxTokens: 5 });
    expect(read({ max_tokens: 9, max_completion_tokens: null })).toEqual({ maxTokens: 9 });
  });

  it('accepts what the engine accepts, and names the field that it refuses', () => {
    const name = fc.constantFrom(...SAMPLING_SETTINGS.all.map(({ wireName }) => wireName), 'max_completion_tokens');
    const value = fc.oneof(
      fc.integer({ min: -6, max: 260 }).map((n) => n / 2),
      fc.constantFrom(true, false, null, '', 'end', [], ['end'], [''], [5], [-1], [2 ** 40, 'x']),
      fc.dictionary(fc.constantFrom('1', '99', '-1', 'a'), fc.integer({ min: -101, max: 101 }), { maxKeys: 2 }),
      fc.jsonValue({ maxDepth: 1 }),
    );
    const refused = new Set<string | null>();
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 4 }), (body) => {
        let options: SamplingOptions;
        try {
          options = read(body);
        } catch (error) {
          const { param } = error as ParameterError;
          expect(error).toBeInstanceOf(ParameterError);
          expect(body).toHaveProperty(param!);
          refused.add(param);
          return;
        }
        // What hangs on the model, and on each other, is not for the reader.
        const fits = { ...options, minTokens: 0, maxTokens: Math.min(options.maxTokens ?? 1, 1000) };
        const ids = (options.stopTokenIds ?? []).filter((id) => id < 1000);
        const logitBias = Object.fromEntries(
          Object.entries(options.logitBias ?? {}).filter(([id]) => Number(id) < 1000),
        );
        const allowedTokenIds = options.allowedTokenIds?.map((id) => id % 1000);
        check({ ...fits, stopTokenIds: ids, logitBias, ...(allowedTokenIds ? { allowedTokenIds } : {}) });
      }),
      { numRuns: 1000 },
    );
    expect(refused.size).toBeGreaterThan(15);
  });
});
