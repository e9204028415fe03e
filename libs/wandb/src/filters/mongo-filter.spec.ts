import { describe, expect, it } from '@jest/globals';
import { readFilter } from './mongo-filter.js';

const row: Record<string, unknown> = {
  state: 'finished',
  tags: ['a', 'b'],
  'config.lr': 0.1,
  'config.sizes': [1, 2],
  'summary_metrics.nan': NaN,
  'summary_metrics.up': Infinity,
  created_at: new Date('2026-03-01T12:00:00Z'),
};
const passes = (filter: object) => readFilter(JSON.stringify(filter)).test((name) => row[name]);

describe('a filter in the form of MongoDB', () => {
  it.each([
    [{}],
    [{ state: 'finished' }],
    [{ state: { $eq: 'finished' } }],
    [{ state: { $ne: 'failed' } }],
    [{ state: { $in: ['failed', 'finished'] } }],
    [{ state: { $nin: ['failed'] } }],
    [{ state: { $regex: '^fin' } }],
    [{ state: { $not: { $regex: '^crash' } } }],
    [{ tags: 'a' }],
    [{ tags: { $in: ['b', 'c'] } }],
    [{ tags: { $all: ['a', 'b'] } }],
    [{ tags: ['a', 'b'] }],
    [{ 'config.lr': { $gt: 0.05, $lte: 0.1 } }],
    [{ 'config.sizes': { $gte: 2 } }],
    [{ created_at: { $lt: '2026-03-01T12:00:01', $gte: '2026-03-01' } }],
    [{ 'summary_metrics.up': { $gt: 1e308 } }],
    [{ 'summary_metrics.up': 'Infinity', 'summary_metrics.nan': 'NaN' }],
    [{ 'summary_metrics.nan': { $exists: true, $ne: 1 } }],
    [{ 'config.none': { $exists: false } }],
    [{ 'config.none': null }],
    [{ 'config.none': { $ne: 1 } }],
    [{ $and: [{ state: 'finished' }, { tags: 'b' }] }],
    [{ $or: [{ state: 'failed' }, { tags: 'b' }] }],
    [{ $nor: [{ state: 'failed' }, { tags: 'c' }] }],
  ])('lets through %j', (filter) => {
    expect(passes(filter)).toBe(true);
  });

  it.each([
    [{ state: 'failed' }],
    [{ tags: 'c' }],
    [{ tags: { $nin: ['a'] } }],
    [{ tags: { $all: ['a', 'c'] } }],
    [{ 'config.lr': '0.1' }],
    [{ 'config.lr': { $gt: 'a' } }],
    [{ 'summary_metrics.nan': { $gt: -1 } }],
    [{ 'summary_metrics.nan': { $lte: 1 } }],
    [{ 'summary_metrics.up': 'NaN' }],
    [{ 'config.none': { $gt: 0 } }],
    [{ 'config.none': { $exists: true } }],
    [{ created_at: { $gt: '2026-03-01T12:00:00' } }],
    [{ state: 'finished', tags: 'c' }],
    [{ $or: [] }],
  ])('holds back %j', (filter) => {
    expect(passes(filter)).toBe(false);
  });

  it.each([
    [{ state: { $near: 1 } }, 'The operator $near is not known'],
    [{ $where: '1' }, 'The operator $where is not known'],
    [{ state: { $in: 'a' } }, 'must be a list'],
    [{ state: { $regex: '(' } }, 'is not a regular expression of RE2'],
  ])('refuses %j', (filter, message) => {
    expect(() => passes(filter)).toThrow(message);
  });

  it('refuses what is no JSON object', () => {
    for (const text of ['[]', '1', '{']) expect(() => readFilter(text)).toThrow('must be a JSON object');
  });

  it('knows the fields that it looks at', () => {
    const { names } = readFilter('{"$or": [{"state": "failed"}, {"$nor": [{"config.lr": {"$gt": 1}}]}]}');
    expect([...names]).toEqual(['state', 'config.lr']);
  });

  it('is no filter where there is none', () => {
    for (const text of [null, undefined, '', 'null', '{}']) expect(readFilter(text).test(() => undefined)).toBe(true);
  });
});
