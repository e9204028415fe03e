import Type, { type TSchema } from 'typebox';
import { demandOf } from './demand.js';

describe('demandOf', () => {
  it.each<[string, TSchema]>([
    ['true or false', Type.Boolean()],
    ["one of 'cispo', 'ppo'", Type.Enum(['cispo', 'ppo'])],
    ['a number', Type.Number()],
    ['a whole number', Type.Integer()],
    ['a number from 0 on', Type.Number({ minimum: 0 })],
    ['a whole number from 1 to 128', Type.Integer({ minimum: 1, maximum: 128 })],
    ['a number above 0', Type.Number({ exclusiveMinimum: 0 })],
    ['a number above 0 and at most 1', Type.Number({ exclusiveMinimum: 0, maximum: 1 })],
    ["a whole number from 1 on or 'auto'", Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('auto')])],
    ['a list of whole numbers from 0 on', Type.Array(Type.Integer({ minimum: 0 }))],
    ['a non-empty list of numbers', Type.Array(Type.Number(), { minItems: 1 })],
    [
      'a list of at most 16 strings of 1 to 1000 characters',
      Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { maxItems: 16 }),
    ],
    [
      'an object of numbers from -100 to 100 with token ids as keys',
      Type.Record(Type.String({ pattern: '^\\d+$' }), Type.Number({ minimum: -100, maximum: 100 })),
    ],
  ])('says "%s"', (demand, schema) => {
    expect(demandOf(schema)).toBe(demand);
  });
});
