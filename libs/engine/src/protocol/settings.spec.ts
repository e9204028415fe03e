import fc from 'fast-check';
import Type from 'typebox';
import { RL_SETTINGS } from './rl-config.schema.js';
import { SAMPLING_SETTINGS } from './sampling-options.schema.js';
import { setting } from './setting.js';
import { Settings } from './settings.js';
import { SFT_SETTINGS } from './sft-config.schema.js';

const LOOM = new Settings(
  Type.Object({
    threads: setting(Type.Integer({ minimum: 1 }), { default: 2, description: 'How many' }),
    warpColour: setting(Type.String({ maxLength: 9 }), { description: 'Any' }),
    patternName: setting(Type.Unknown(), { description: 'Kept' }),
  }),
  { place: 'loom', wireNames: { patternName: 'pattern' } },
);

describe('Settings', () => {
  it('tells what it knows from what it does not, and takes null and undefined for unset', () => {
    const given = { threads: 3, warpColour: null, patternName: undefined, toString: 1, constructor: null };
    expect(LOOM.known(given)).toEqual({ threads: 3 });
    expect(LOOM.unknownKeys(given)).toEqual(['toString']);
    expect(LOOM.resolve(given)).toEqual({ threads: 3 });
  });

  it('reads nothing that an object inherits', () => {
    expect(LOOM.known(Object.create({ threads: 3 }) as object as Record<string, unknown>)).toEqual({});
  });

  it('fills in defaults, where there are any', () => {
    expect(LOOM.resolve({ warpColour: 'red' })).toEqual({ threads: 2, warpColour: 'red' });
  });

  it('names what is wrong as it is called on the wire, and says what it must be', () => {
    expect(LOOM.problems({ threads: 0, warpColour: 7, patternName: NaN })).toEqual([
      { name: 'threads', wireName: 'threads', demand: 'a whole number from 1 on', value: 0 },
      { name: 'warpColour', wireName: 'warp_colour', demand: 'a string of 0 to 9 characters', value: 7 },
    ]);
    expect(LOOM.all.map(({ wireName }) => wireName)).toEqual(['threads', 'warp_colour', 'pattern']);
    expect(() => LOOM.resolve({ warpColour: [7] })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: 'warp_colour must be a string of 0 to 9 characters, not something else.',
        param: 'loom.warp_colour',
      }),
    );
  });
});

describe.each([
  ['RL_SETTINGS', RL_SETTINGS],
  ['SFT_SETTINGS', SFT_SETTINGS],
  ['SAMPLING_SETTINGS', SAMPLING_SETTINGS],
] as const)('%s', (_, settings) => {
  it('accepts its own defaults', () => {
    expect(settings.problems(settings.resolve({}))).toEqual([]);
  });

  it('says of every setting what it means', () => {
    for (const { schema } of settings.all) expect(schema).toHaveProperty('description', expect.stringMatching(/^\S/));
  });

  it('resolves what it has no problem with, and refuses the rest by its name', () => {
    const names = fc.constantFrom(...settings.all.map(({ name }) => name));
    const value = fc.oneof(fc.jsonValue(), fc.double(), fc.integer({ min: -5, max: 150 }));
    fc.assert(
      fc.property(fc.dictionary(names, value), (given) => {
        const [problem] = settings.problems(given);
        if (!problem) return void settings.resolve(given);
        expect(() => settings.resolve(given)).toThrow(
          expect.objectContaining({ param: expect.stringMatching(new RegExp(`(^|\\.)${problem.wireName}$`)) }),
        );
      }),
    );
  });
});
