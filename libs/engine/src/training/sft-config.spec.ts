import type { SftConfig } from '../protocol/sft-config.schema.js';
import { DEFAULT_LEARNING_RATE } from '../protocol/rl-config.schema.js';
import { batchLearningRates, resolveSftConfig } from './sft-config.js';

describe('resolveSftConfig', () => {
  it('defaults to batches of two and all assistant turns', () => {
    const defaults = { batchSize: 2, learningRate: DEFAULT_LEARNING_RATE, assistantTurns: 'all' };
    expect(resolveSftConfig({})).toEqual(defaults);
    expect(resolveSftConfig({ batch_size: 'auto' })).toEqual(defaults);
  });

  it.each<[string, unknown, string]>([
    ['batch_size', 0, "batch_size must be a whole number from 1 on or 'auto', not 0."],
    ['batch_size', 1.5, "batch_size must be a whole number from 1 on or 'auto', not 1.5."],
    ['learning_rate', -1, 'learning_rate must be a number from 0 on or a non-empty list of numbers from 0 on, not -1.'],
    [
      'learning_rate',
      [1e-3, NaN],
      'learning_rate must be a number from 0 on or a non-empty list of numbers from 0 on, not something else.',
    ],
    ['assistant_turns', 'first', "assistant_turns must be one of 'all', 'last', not first."],
  ])('refuses %s = %j', (name, value, message) => {
    const error = expect.objectContaining({ code: 'invalid_request', param: `config.${name}`, message });
    expect(() => resolveSftConfig({ [name]: value } as SftConfig)).toThrow(error);
  });
});

describe('batchLearningRates', () => {
  it('repeats one rate, and takes a list as it is', () => {
    expect(batchLearningRates(resolveSftConfig({ learning_rate: 0.1 }), 3, 6)).toEqual([0.1, 0.1, 0.1]);
    expect(batchLearningRates(resolveSftConfig({ learning_rate: [0.1, 0.2] }), 2, 4)).toEqual([0.1, 0.2]);
  });

  it('names both numbers where they differ', () => {
    expect(() => batchLearningRates(resolveSftConfig({ learning_rate: [0.1, 0.2] }), 3, 5)).toThrow(
      'learning_rate has 2 entries, but 5 examples in batches of 2 make 3 batches.',
    );
  });
});
