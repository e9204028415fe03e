import { ignoredKeys, readRlConfig, rlConfigOf } from './rl-config.schema.js';
import { readSftConfig } from './sft-config.schema.js';

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

describe('readRlConfig', () => {
  it('takes null for nothing, as a whole and in each field', () => {
    expect(readRlConfig(null, LOC)).toEqual({ known: {}, given: {} });
    expect(readRlConfig({ epsilon: null, ppo: true, new_key: null }, LOC)).toEqual({
      known: { ppo: true },
      given: { ppo: true },
    });
  });

  it('keeps unknown keys, whatever they hold, beside those that it knows', () => {
    const { known, given } = readRlConfig(
      { learning_rate: 1e-4, kl_ref_adapter_path: '/etc', plot_tensors: true },
      LOC,
    );
    expect(known).toEqual({ learning_rate: 1e-4 });
    expect(ignoredKeys(given)).toEqual(['kl_ref_adapter_path']);
    expect(rlConfigOf(given)).toEqual(known);
  });

  it.each([
    ['learning_rate', -1, 'a number from 0 on'],
    ['learning_rate', '1e-4', 'a number from 0 on'],
    ['learning_rate', Infinity, 'a number from 0 on'],
    ['advantage_balance', 1.5, 'a number from -1 to 1'],
    ['ppo', 1, 'true or false'],
    ['loss_fn', 'dpo', "one of 'cispo', 'ppo'"],
    ['importance_sampling_level', 'word', "one of 'token', 'sequence', 'average', 'geometric_average'"],
    ['packed_sequence_length', 0.5, 'a whole number from 1 on'],
  ])('refuses %s = %j', (name, value, wanted) => {
    expect(problems(readRlConfig, { [name]: value })).toEqual([`body.experimental_config.${name} must be ${wanted}`]);
  });

  it('names every bad field', () => {
    expect(problems(readRlConfig, { epsilon: -1, epsilon_high: -1, ppo: false })).toHaveLength(2);
    expect(problems(readRlConfig, [])).toEqual(['body.experimental_config must be an object']);
  });
});

describe('readSftConfig', () => {
  it.each([{ batch_size: 'auto' }, { batch_size: 3 }, { learning_rate: [1e-4, 0] }, { assistant_turns: 'last' }])(
    'reads %j',
    (config) => {
      expect(readSftConfig(config, LOC).known).toEqual(config);
    },
  );

  it.each([
    { batch_size: 0 },
    { batch_size: 'some' },
    { learning_rate: [] },
    { learning_rate: [1, 'a'] },
    { assistant_turns: 'first' },
  ])('refuses %j', (config) => {
    expect(problems(readSftConfig, config)).toHaveLength(1);
  });
});
