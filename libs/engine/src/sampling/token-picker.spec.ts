import fc from 'fast-check';
import type { SamplingOptions } from '../protocol/generate.js';
import { RandomStream } from './random-stream.js';
import { checkSamplingOptions } from './sampling-options.js';
import { TokenPicker } from './token-picker.js';

const END = 0;
const logits = Float32Array.from([1, 2.5, -1, 0, 2, 2.5, -3, 0.5]);

function normaliser(values: Float32Array): number {
  const max = Math.max(...values);
  return Math.fround(max + Math.log(values.reduce((sum, value) => sum + Math.exp(value - max), 0)));
}

function picker(options: SamplingOptions, prompt: number[] = [], choice = 0, size = logits.length): TokenPicker {
  const limits = { contextLength: 200_000, promptLength: 1, vocabularySize: size };
  return new TokenPicker(
    checkSamplingOptions(options, limits),
    [END],
    prompt,
    new RandomStream(options.seed ?? 11, choice),
  );
}

const normalisers = new WeakMap<Float32Array, number>();

function pick(from: TokenPicker, values = logits, mask: Int32Array | null = null): number {
  const lse = normalisers.get(values) ?? normaliser(values);
  normalisers.set(values, lse);
  return from.pick(values, lse, mask).id;
}

const weights = (values: ArrayLike<number>, temperature = 1): number[] =>
  Array.from(values, (value) => Math.exp(value / temperature));

/** Only the listed tokens keep their weight. */
const only = (ids: number[], of: number[]): number[] => of.map((weight, id) => (ids.includes(id) ? weight : 0));

describe('distribution of 100,000 samples', () => {
  const plain = weights(logits);
  it.each<[string, SamplingOptions, number[]]>([
    ['temperature 1', {}, plain],
    ['temperature 0.5', { temperature: 0.5 }, weights(logits, 0.5)],
    ['temperature 3', { temperature: 3 }, weights(logits, 3)],
    ['top_k 2', { topK: 2 }, only([1, 5], plain)],
    ['top_k 4 at temperature 2', { topK: 4, temperature: 2 }, only([0, 1, 4, 5], weights(logits, 2))],
    // Probabilities: 0.335 for each of 1 and 5, 0.203 for 4, 0.075 for 0.
    ['top_p 0.6', { topP: 0.6 }, only([1, 5], plain)],
    ['top_p 0.7', { topP: 0.7 }, only([1, 4, 5], plain)],
    ['top_p 0.6 of top_k 4', { topK: 4, topP: 0.6 }, only([1, 5], plain)],
    ['min_p 0.2', { minP: 0.2 }, only([0, 1, 4, 5], plain)],
    ['allowed_token_ids', { allowedTokenIds: [0, 4] }, only([0, 4], plain)],
    ['logit_bias', { logitBias: { 1: -100, 6: 5.5 } }, weights([1, -97.5, -1, 0, 2, 2.5, 2.5, 0.5])],
  ])('%s', (_, options, expected) => {
    const from = picker(options);
    const counts = new Float64Array(logits.length);
    for (let i = 0; i < 100_000; i++) counts[pick(from)]!++;
    const sum = expected.reduce((a, b) => a + b, 0);
    let chiSquare = 0;
    expected.forEach((weight, id) => {
      const mean = (100_000 * weight) / sum;
      if (mean < 1e-20) expect(counts[id]).toBe(0);
      else chiSquare += (counts[id]! - mean) ** 2 / mean;
    });
    // 0.999 quantile at 7 degrees of freedom, the most there are here.
    expect(chiSquare).toBeLessThan(24.3);
  });
});

describe('greedy', () => {
  it('takes the lowest id of equal logits', () => {
    expect(pick(picker({ temperature: 0 }))).toBe(1);
  });

  it('is what a vanishing temperature, top_k 1, top_p 0 and min_p 1 come to', () => {
    const values = logits.with(5, 2.6);
    const ways: SamplingOptions[] = [{ temperature: 1e-300 }, { topK: 1 }, { topP: 1e-9 }, { minP: 1 }];
    for (const options of ways) expect(pick(picker(options), values)).toBe(5);
  });
});

describe('what was sampled and what was asked change logits', () => {
  it('repetition: divides positive and multiplies negative logits, once for each token of prompt and output', () => {
    const from = picker({ temperature: 0, repetitionPenalty: 2 }, [1, 1, 2]);
    expect([pick(from), pick(from), pick(from)]).toEqual([5, 4, 1]);
  });

  it('presence: once, frequency: each time, over the output alone', () => {
    const presence = picker({ temperature: 0, presencePenalty: 0.4 }, [1]);
    expect([1, 2, 3, 4].map(() => pick(presence))).toEqual([1, 5, 1, 1]);
    const frequency = picker({ temperature: 0, frequencyPenalty: 0.4 }, [1]);
    expect([1, 2, 3, 4, 5, 6].map(() => pick(frequency))).toEqual([1, 5, 1, 5, 4, 1]);
  });

  it('min_tokens: no end or stop token before', () => {
    const from = picker({ temperature: 0, minTokens: 2, stopTokenIds: [1] });
    const values = logits.with(END, 9);
    expect([1, 2, 3].map(() => pick(from, values))).toEqual([5, 5, END]);
  });

  it('ignore_eos: never an end token', () => {
    expect(pick(picker({ temperature: 0, ignoreEos: true }), logits.with(END, 9))).toBe(1);
  });

  it('mask: nothing else, and the end where nothing but the end is left', () => {
    expect(pick(picker({ temperature: 0 }), logits, Int32Array.of(0b1100))).toBe(3);
    expect(pick(picker({ temperature: 0, minTokens: 5 }), logits, Int32Array.of(0b0001))).toBe(END);
    expect(pick(picker({ temperature: 0, minTokens: 5 }), logits, Int32Array.of(0b1001))).toBe(3);
  });
});

describe('log probabilities', () => {
  it('are of the unmodified logits in float32, whatever was asked', () => {
    const lse = normaliser(logits);
    const options: SamplingOptions = { temperature: 0, topLogprobs: 3, logitBias: { 6: 100 }, presencePenalty: 1 };
    expect(picker(options).pick(logits, lse, null)).toEqual({
      id: 6,
      logprob: Math.fround(-3 - lse),
      top: [1, 5, 4].map((id) => ({ id, logprob: Math.fround(logits[id]! - lse) })),
    });
  });

  it('leave the logits as they were', () => {
    const before = logits.slice();
    pick(picker({ topK: 3, repetitionPenalty: 2, minTokens: 1 }, [1]), logits, Int32Array.of(0xff));
    expect(logits).toEqual(before);
  });
});

describe('seeds', () => {
  const options = fc.record<SamplingOptions>({
    seed: fc.integer(),
    temperature: fc.double({ min: 0.1, max: 3, noNaN: true }),
    topK: fc.integer({ min: 0, max: 400 }),
    topP: fc.double({ min: 0.01, max: 1, noNaN: true }),
    minP: fc.constantFrom(0, 0.01, 0.3),
    frequencyPenalty: fc.constantFrom(0, 1),
  });
  const large = Float32Array.from({ length: 300 }, (_, id) => 4 * Math.sin(id * id));

  it('repeat a completion; another choice gives another, and n changes neither', () => {
    fc.assert(
      fc.property(options, (asked) => {
        const run = (choice: number): string => {
          const from = picker(asked, [], choice, large.length);
          return Array.from({ length: 20 }, () => pick(from, large)).join();
        };
        const pickers = [0, 1].map((choice) => picker({ ...asked, n: 2 }, [], choice, large.length));
        const together: number[][] = [[], []];
        for (let i = 0; i < 20; i++) pickers.forEach((from, choice) => together[choice]!.push(pick(from, large)));
        expect(together.map((ids) => ids.join())).toEqual([run(0), run(1)]);
      }),
      { seed: 3, numRuns: 30 },
    );
  });

  it('pick only what sorting everything would leave', () => {
    fc.assert(
      fc.property(options, (asked) => {
        const order = [...large.keys()].sort((a, b) => large[b]! - large[a]! || a - b);
        const { temperature, topK, topP, minP } = asked as Required<SamplingOptions>;
        const kept = topK > 0 ? order.slice(0, topK) : order;
        const share = kept.map((id) => Math.exp((large[id]! - large[order[0]!]!) / temperature));
        const total = share.reduce((a, b) => a + b, 0);
        let before = 0;
        const allowed = kept.filter((_, i) => {
          const keep = (i === 0 || before < topP * total * (1 + 1e-9)) && share[i]! >= minP;
          before += share[i]!;
          return keep;
        });
        const from = picker({ ...asked, frequencyPenalty: 0 }, [], 0, large.length);
        const picked = Array.from({ length: 10 }, () => pick(from, large));
        expect(picked.filter((id) => !allowed.includes(id))).toEqual([]);
      }),
      { seed: 4, numRuns: 60 },
    );
  });
});

describe('bad words', () => {
  it('never come whole', () => {
    const encode = (text: string): number[] => ({ a: [1], ' a': [1, 1], b: [4, 5], ' b': [4, 5] })[text]!;
    const limits = { contextLength: 200_000, promptLength: 1, vocabularySize: logits.length, encode };
    const options = checkSamplingOptions({ badWords: ['a', 'b'], seed: 1 }, limits);
    const from = new TokenPicker(options, [END], [4], new RandomStream(1, 0));
    const ids = Array.from({ length: 2000 }, () => pick(from));
    expect(ids).not.toContain(1);
    expect(ids.filter((id, i) => id === 5 && ids[i - 1] === 4)).toEqual([]);
    expect([ids.includes(4), ids.includes(5)]).toEqual([true, true]);
  });
});

describe('what is no distribution', () => {
  it.each([
    ['NaN', logits.with(3, NaN)],
    ['Infinity', logits.with(3, Infinity)],
    ['nothing but -Infinity', logits.map(() => -Infinity)],
  ])('is refused: %s', (_, values) => {
    expect(() => pick(picker({}), values)).toThrow(expect.objectContaining({ code: 'diverged' }));
  });

  it('is refused where a mask leaves nothing', () => {
    const nothing = () => pick(picker({}), logits, Int32Array.of(0));
    expect(nothing).toThrow(expect.objectContaining({ code: 'invalid_request', param: 'response_format' }));
  });
});
