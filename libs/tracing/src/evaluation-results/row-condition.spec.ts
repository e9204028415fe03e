import { indexJsonSync } from '@heddle/json';
import { rowCondition } from './row-condition.js';
import { rowField } from './row-values.js';

const node = (value: unknown) => indexJsonSync(Buffer.from(JSON.stringify(value)));
const field = (name: string) => ({ $getField: name });
const literal = (value: unknown) => ({ $literal: value });

const OUTPUT = {
  scores: { s: 2, half: 0.5, ok: true, no: false, none: null, word: 'Ten', digits: '10', list: [1, 'a'] },
  'a.b': 1,
};

/** Of a row with one trial. */
function holds(expression: unknown): boolean | undefined {
  const call = node({ output: OUTPUT });
  const trial = {
    call,
    evaluationId: 'e',
    predict: undefined,
    scorers: new Map<string, string>(),
    tokens: null,
    cost: null,
  };
  const row = { digest: 'd', example: node({ q: 'why' }), trials: [trial] };
  return rowCondition(node(expression), [])((read) => read(row, trial));
}
const is = (operator: string, name: string, value: unknown) => holds({ [operator]: [field(name), literal(value)] });

describe('rowCondition', () => {
  it('compares with a number as numbers, with a text as texts', () => {
    expect(is('$gt', 'scores.half', 0)).toBe(true);
    expect(is('$gt', 'scores.digits', 9)).toBe(true);
    expect(is('$gt', 'scores.digits', '9')).toBe(false);
    expect(is('$eq', 'scores.s', '2')).toBe(true);
    expect(is('$lte', 'scores.s', 1)).toBe(false);
  });

  it('takes booleans for 1 and 0', () => {
    expect(is('$eq', 'scores.ok', true)).toBe(true);
    expect(is('$eq', 'scores.ok', 1)).toBe(true);
    expect(is('$eq', 'scores.no', false)).toBe(true);
    expect(holds(field('scores.ok'))).toBe(true);
  });

  it('does not know of what is missing, or can not be compared', () => {
    expect(is('$eq', 'scores.missing', 1)).toBeUndefined();
    expect(is('$gt', 'scores.word', 1)).toBeUndefined();
    expect(holds({ $not: [{ $eq: [field('scores.missing'), literal(1)] }] })).toBeUndefined();
    expect(is('$eq', 'scores.none', null)).toBe(true);
    expect(is('$eq', 'scores.s', null)).toBe(false);
  });

  it('combines, looks into lists and texts, and converts', () => {
    const two = { $eq: [field('scores.s'), literal(2)] };
    expect(holds({ $and: [two, { $or: [{ $not: [two] }, two] }] })).toBe(true);
    expect(holds({ $in: [field('scores.s'), [literal(1), literal(2)]] })).toBe(true);
    expect(holds({ $in: [field('scores.s'), literal([3])] })).toBe(false);
    const contains = { input: field('scores.word'), substr: literal('ten') };
    expect(holds({ $contains: contains })).toBe(false);
    expect(holds({ $contains: { ...contains, case_insensitive: true } })).toBe(true);
    expect(holds({ $eq: [{ $size: field('scores.list') }, literal(2)] })).toBe(true);
    expect(holds({ $convert: { input: field('scores.none'), to: 'exists' } })).toBe(false);
    expect(holds({ $eq: [{ $convert: { input: field('scores.half'), to: 'int' } }, literal(0)] })).toBe(true);
  });

  it('finds questions, answers and digests, elements of lists and keys with dots', () => {
    expect(is('$eq', 'inputs.q', 'why')).toBe(true);
    expect(is('$eq', 'row_digest', 'd')).toBe(true);
    expect(is('$eq', 'scores.list.1', 'a')).toBe(true);
    expect(is('$eq', String.raw`output.a\.b`, 1)).toBe(true);
    expect(rowField('secret')).toBeUndefined();
  });

  it('has limits', () => {
    const deep = (levels: number): unknown => (levels === 0 ? field('scores.ok') : { $not: [deep(levels - 1)] });
    expect(() => holds(deep(40))).toThrow(/deeper/);
    expect(() => holds({ $or: Array(1001).fill(field('scores.ok')) })).toThrow(/more than/);
  });
});
