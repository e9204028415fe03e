import { RL_SETTINGS, type Settings, SFT_SETTINGS } from '@heddle/engine';
import fc from 'fast-check';
import type { TObject } from 'typebox';
import { resolveRlConfig } from '../../../engine/src/training/rl-config.js';
import { resolveSftConfig } from '../../../engine/src/training/sft-config.js';
import { ignoredKeys, readRlSettings, readSftSettings } from './job-settings.reader.js';

const LOC = ['body', 'experimental_config'];

type Reader = (value: unknown, loc: string[]) => unknown;

function problems(read: Reader, config: unknown): string[] {
  try {
    read(config, LOC);
    return [];
  } catch (error) {
    return (error as { detail: { loc: string[]; msg: string }[] }).detail.map(
      ({ loc, msg }) => `${loc.join('.')} ${msg}`,
    );
  }
}

describe('readRlSettings', () => {
  it('takes null for nothing, as a whole and in each field', () => {
    expect(readRlSettings(null, LOC)).toEqual({});
    expect(readRlSettings({ epsilon: null, ppo: true, new_key: null }, LOC)).toEqual({ ppo: true });
  });

  it('takes one reference of the KL penalty', () => {
    const [step, lag] = [{ kl_penalty_reference_step: 1 }, { kl_penalty_step_lag: 1 }];
    expect([problems(readRlSettings, step), problems(readRlSettings, lag)]).toEqual([[], []]);
    expect(problems(readRlSettings, { ...step, kl_penalty_step_lag: null })).toEqual([]);
    expect(problems(readRlSettings, { ...step, ...lag })).toHaveLength(1);
  });

  it('keeps unknown keys, whatever they hold, beside those that it knows', () => {
    const config = { learning_rate: 1e-4, kl_penalty_source: 'sample', plot_tensors: true, rank: [8] };
    expect(readRlSettings(config, LOC)).toEqual(config);
    expect(ignoredKeys(config)).toEqual(['rank']);
    expect(ignoredKeys({ batch_size: 1, metric_logging: {}, epochs: 3 }, 'sft')).toEqual(['epochs']);
  });

  it.each([
    ['learning_rate', -1, 'a number from 0 on'],
    ['learning_rate', '1e-4', 'a number from 0 on'],
    ['learning_rate', Infinity, 'a number from 0 on'],
    ['advantage_balance', 1.5, 'a number from -1 to 1'],
    ['ppo', 1, 'true or false'],
    ['loss_fn', 'dpo', "one of 'cispo', 'ppo'"],
    ['importance_sampling_level', 'word', "one of 'token', 'sequence', 'average', 'geometric_average'"],
    ['packed_sequence_length', 0.5, 'a whole number from 2 on'],
    ['packed_sequence_length', 1, 'a whole number from 2 on'],
    ['kimi_k2_tau', -1, 'a number from 0 on'],
    ['truncated_importance_sampling', 0, 'a number above 0'],
    ['max_negative_advantage_importance_sampling_weight', 0, 'a number above 0'],
    ['num_trajectories_learning_rate_multiplier_power', 9, 'a number from -4 to 4'],
    ['kl_penalty_source', 'both', "one of 'current_learner', 'sample'"],
  ])('refuses %s = %j', (name, value, wanted) => {
    expect(problems(readRlSettings, { [name]: value })).toEqual([`body.experimental_config.${name} must be ${wanted}`]);
  });

  it('names every bad field', () => {
    expect(problems(readRlSettings, { epsilon: -1, epsilon_high: -1, ppo: false })).toHaveLength(2);
    expect(problems(readRlSettings, [])).toEqual(['body.experimental_config must be an object']);
  });
});

describe('readSftSettings', () => {
  it.each([{ batch_size: 'auto' }, { batch_size: 3 }, { learning_rate: [1e-4, 0] }, { assistant_turns: 'last' }])(
    'reads %j',
    (config) => {
      expect(readSftSettings(config, LOC)).toEqual(config);
    },
  );

  it.each([
    { batch_size: 0 },
    { batch_size: 'some' },
    { learning_rate: [] },
    { learning_rate: [1, 'a'] },
    { assistant_turns: 'first' },
  ])('refuses %j', (config) => {
    expect(problems(readSftSettings, config)).toHaveLength(1);
  });
});

// Values at and beside the bounds, words that some setting knows, and anything else that JSON can say.
const WORDS = ['auto', 'all', 'last', 'cispo', 'ppo', 'token', 'average', 'sample', 'current_learner'];
const value = fc.oneof(
  fc.integer({ min: -6, max: 6 }).map((n) => n / 2),
  fc.constantFrom(...WORDS, true, false, null),
  fc.array(fc.constantFrom(-1, 0, 1e-4), { maxLength: 3 }),
  fc.jsonValue(),
);

describe.each<[string, Settings<TObject>, Reader, (config: object) => unknown, string]>([
  ['readRlSettings', RL_SETTINGS, readRlSettings, resolveRlConfig, 'experimental_config'],
  ['readSftSettings', SFT_SETTINGS, readSftSettings, resolveSftConfig, 'config'],
])('%s', (_, settings, read, resolve, place) => {
  const config = fc.dictionary(fc.constantFrom(...settings.all.map(({ name }) => name), 'unheard_of'), value);

  it('accepts what the engine accepts, and names the fields that it refuses', () => {
    fc.assert(
      fc.property(config, (given) => {
        const refused = problems(read, given).map((problem) => problem.split(' ')[0]!.split('.').at(-1)!);
        const stored = settings.known(JSON.parse(JSON.stringify(given)) as Record<string, unknown>);
        for (const name of refused) {
          const param = `${place}.${name}`;
          expect(() => resolve({ [name]: stored[name] })).toThrow(expect.objectContaining({ param }));
          delete stored[name];
        }
        resolve(stored);
      }),
      { numRuns: 200 },
    );
  });
});
