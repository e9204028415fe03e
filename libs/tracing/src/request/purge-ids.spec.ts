import { ValidationError } from '@heddle/http';
import { indexJsonSync } from '@heddle/json';
import { idsToPurge } from './purge-ids.js';

const id = { $getField: 'id' };
const literal = ($literal: unknown) => ({ $literal });
const idsOf = ($expr: unknown): string[] =>
  idsToPurge(indexJsonSync(Buffer.from(JSON.stringify({ query: { $expr } })), { depth: 8 }));

/** Where a query is refused. */
function refusedAt($expr: unknown): string {
  try {
    return `not refused: ${idsOf($expr).join()}`;
  } catch (error) {
    if (error instanceof ValidationError) return error.detail[0]!.loc.join('.').replace('body.query.$expr', '');
    throw error;
  }
}

describe('a purge', () => {
  it.each<[string, unknown, string[]]>([
    ['an id', { $eq: [id, literal('a')] }, ['a']],
    ['an id, the other way round', { $eq: [literal('a'), id] }, ['a']],
    ['a list of literals', { $in: [id, [literal('a'), literal('b')]] }, ['a', 'b']],
    ['a literal list', { $in: [id, literal(['a', 'b'])] }, ['a', 'b']],
    [
      'alternatives',
      { $or: [{ $eq: [id, literal('a')] }, { $in: [id, [literal('b'), literal('c')]] }] },
      ['a', 'b', 'c'],
    ],
  ])('names %s', (_, expression, ids) => {
    expect(idsOf(expression)).toEqual(ids);
  });

  it.each<[string, unknown, string]>([
    ['a condition that is always true', { $and: [] }, ''],
    ['even ids together with more', { $and: [{ $eq: [id, literal('a')] }] }, ''],
    ['all but some', { $not: [{ $eq: [id, literal('a')] }] }, ''],
    ['no alternative', { $or: [] }, ''],
    ['an alternative that names no id', { $or: [{ $eq: [id, literal('a')] }, { $and: [] }] }, '.$or.1'],
    ['alternatives within alternatives', { $or: [{ $or: [{ $eq: [id, literal('a')] }] }] }, '.$or.0'],
    ['another field', { $eq: [{ $getField: 'creator' }, literal('a')] }, ''],
    ['a field compared with itself', { $eq: [id, id] }, '.$eq.1'],
    ['values only', { $eq: [literal('a'), literal('a')] }, ''],
    ['an id that is a number', { $eq: [id, literal(1)] }, '.$eq.1'],
    ['an id that is null', { $eq: [id, literal(null)] }, '.$eq.1'],
    ['no id', { $in: [id, []] }, '.$in.1'],
    ['ids among others', { $in: [id, [literal('a'), id]] }, '.$in.1.1'],
    ['more than one operator', { $eq: [id, literal('a')], $and: [] }, ''],
    ['too many ids', { $in: [id, literal(Array.from({ length: 10_001 }, String))] }, ''],
    ['text', 'everything', ''],
  ])('does not take %s', (_, expression, place) => {
    expect(refusedAt(expression)).toBe(place);
  });

  it.each([{}, { query: null }, { query: {} }])('is refused without a query: %j', (body) => {
    expect(() => idsToPurge(indexJsonSync(Buffer.from(JSON.stringify(body)), { depth: 8 }))).toThrow(ValidationError);
  });
});
