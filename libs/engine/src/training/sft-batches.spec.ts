import { EngineError } from '../protocol/engine.errors.js';
import type { SftConfig } from '../protocol/sft-config.schema.js';
import type { SftExample } from '../protocol/train.js';
import { sftBatches } from './sft-batches.js';
import { resolveSftConfig } from './sft-config.js';

/** An example whose text is its tokens; capital letters are targets. */
const example = (content: string): SftExample => ({ messages: [{ role: 'assistant', content }] });
const tokenize = ({ messages }: SftExample) => {
  const text = String(messages[0]!.content);
  const tokens = Array.from(text, (letter) => letter.charCodeAt(0));
  return { tokens, targets: tokens.flatMap((token, i) => (token < 97 ? [i] : [])) };
};
const batches = (texts: string[], config: SftConfig = {}, maxTokens = 6) =>
  sftBatches(texts.map(example), resolveSftConfig(config), tokenize, maxTokens);

describe('sftBatches', () => {
  it('cuts examples into batches, in order', async () => {
    const result = await batches(['aB', 'abC', 'aBC'], { learning_rate: [0.1, 0.2] });
    expect(result).toMatchObject([
      { learningRate: 0.1, trajectories: 2, tokens: 5, trainableTokens: 2, dropped: 0, truncated: 0 },
      { learningRate: 0.2, trajectories: 1, tokens: 3, trainableTokens: 2 },
    ]);
    expect(result[1]!.trees).toEqual([
      {
        prefix: new Int32Array(0),
        branches: [{ tokens: Int32Array.of(97, 66, 67), targets: Int32Array.of(1, 2) }],
      },
    ]);
  });

  it('cuts long examples at their end, and drops those without a target left', async () => {
    const [batch] = await batches(['abcdEFGH', 'abcdefG', 'abc'], { batch_size: 3 });
    expect(batch).toMatchObject({ trajectories: 1, tokens: 6, trainableTokens: 2, dropped: 2, truncated: 1 });
    expect(batch!.trees[0]!.branches[0]!.targets).toEqual(Int32Array.of(4, 5));
  });

  it('keeps a batch of which nothing is left, so that learning rates stay with their batches', async () => {
    const result = await batches(['ab', 'aB'], { batch_size: 1, learning_rate: [0.1, 0.2] });
    expect(result.map(({ trees, learningRate }) => [trees.length, learningRate])).toEqual([
      [0, 0.1],
      [1, 0.2],
    ]);
  });

  it('never learns position 0, which nothing precedes', async () => {
    expect(await batches(['A', 'AB'])).toMatchObject([{ trainableTokens: 1, dropped: 1 }]);
  });

  it('refuses a list of learning rates of the wrong length', async () => {
    await expect(batches(['aB', 'aB', 'aB'], { learning_rate: [0.1] })).rejects.toThrow(
      'learning_rate has 1 entries, but 3 examples in batches of 2 make 2 batches.',
    );
  });

  it('says which example can’t be tokenized', async () => {
    const refusing = (one: SftExample) => {
      if (one.messages[0]!.content === 'b') throw new EngineError('invalid_request', 'no', 'messages');
      return tokenize(one);
    };
    const reading = sftBatches(['aB', 'b'].map(example), resolveSftConfig({}), refusing, 6);
    await expect(reading).rejects.toMatchObject({ code: 'invalid_request', message: 'Example 2: no' });
  });

  it('has no batches for no examples', async () => {
    expect(await batches([])).toEqual([]);
  });
});
