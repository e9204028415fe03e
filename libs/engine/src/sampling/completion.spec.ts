import type { SampledToken, SamplingOptions } from '../protocol/generate.js';
import { Completion, type TextStream } from './completion.js';
import { checkSamplingOptions } from './sampling-options.js';

const END = 0;

/** Each token is a letter: 97 is `a`. */
class Letters implements TextStream {
  push(id: number): string {
    return id === END ? '' : String.fromCharCode(id);
  }
  flush(): string {
    return '';
  }
}

const sampled = (text: string): SampledToken[] =>
  [...text].map((char) => ({ id: char === '.' ? END : char.charCodeAt(0), logprob: -1, top: [] }));

const completion = (options: SamplingOptions, stream: TextStream = new Letters()): Completion =>
  new Completion(
    2,
    checkSamplingOptions(options, { contextLength: 100, promptLength: 1, vocabularySize: 264 }),
    [END],
    stream,
  );

/** Runs batches through; what was told, as one. */
function run(options: SamplingOptions, batches: string[]): Record<string, unknown> {
  const it = completion(options);
  const events = batches.map((batch) => it.push(sampled(batch))).filter((event) => event !== null);
  const text = events.map((event) => event.text).join('');
  expect(it.text).toBe(text);
  return { text, tokens: events.flatMap((event) => event.tokens).length, ...it.ending };
}

describe('Completion', () => {
  it('ends with the end token, which is reported and has no text', () => {
    expect(run({}, ['ab', 'c.'])).toEqual({ text: 'abc', tokens: 4, reason: 'stop', stop: null });
  });

  it('ends with length at max_tokens', () => {
    expect(run({ maxTokens: 3 }, ['ab', 'cd'])).toEqual({ text: 'abc', tokens: 3, reason: 'length', stop: null });
  });

  it('drops what was sampled after the token that completed a stop string', () => {
    expect(run({ stop: ['cd'] }, ['abc', 'dxyz', 'more'])).toEqual({
      text: 'ab',
      tokens: 4,
      reason: 'stop',
      stop: 'cd',
    });
  });

  it('says stop, not length, where both come with one token', () => {
    expect(run({ stop: ['cd'], maxTokens: 4 }, ['abcd'])).toMatchObject({ reason: 'stop', stop: 'cd' });
  });

  it('shows what was held back when the end comes otherwise', () => {
    expect(run({ stop: ['cd'] }, ['abc.'])).toMatchObject({ text: 'abc', stop: null });
    expect(run({ stop: ['cd'], maxTokens: 3 }, ['abc'])).toMatchObject({ text: 'abc', reason: 'length' });
  });

  it('ends with a stop token, whose text shows only where asked to', () => {
    expect(run({ stopTokenIds: [99] }, ['abcd'])).toEqual({ text: 'ab', tokens: 3, reason: 'stop', stop: 99 });
    expect(run({ stopTokenIds: [99], includeStop: true }, ['abcd'])).toMatchObject({ text: 'abc' });
  });

  it('passes over end tokens with ignore_eos', () => {
    expect(run({ ignoreEos: true, maxTokens: 4 }, ['a.bc'])).toEqual({
      text: 'abc',
      tokens: 4,
      reason: 'length',
      stop: null,
    });
  });

  it('does not search the first min_tokens tokens for stop strings', () => {
    expect(run({ stop: ['a'], minTokens: 2 }, ['aabaa'])).toMatchObject({ text: 'aab', tokens: 4, stop: 'a' });
  });

  it('tells its choice, and nothing after the end', () => {
    const it = completion({ maxTokens: 1 });
    expect(it.push(sampled('ab'))).toMatchObject({ type: 'tokens', choice: 2, text: 'a' });
    expect(it.push(sampled('c'))).toBeNull();
    expect(it.length).toBe(1);
  });

  it('shows half a character where nothing more comes', () => {
    const half: TextStream = { push: () => '', flush: () => '\ufffd' };
    expect(completion({ maxTokens: 1 }, half).push(sampled('a'))?.text).toBe('\ufffd');
  });
});
