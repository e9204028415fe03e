import { isoMicros, timeBuckets, type WantedBuckets } from './time-buckets.js';

const day = { start: '2026-07-01T00:00:00Z', end: '2026-07-02T00:00:00Z' };

const buckets = (wanted: WantedBuckets): string => {
  const { first, granularity, count } = timeBuckets(wanted);
  return `${count} x ${granularity} s from ${isoMicros(first)}`;
};

describe('timeBuckets', () => {
  it.each<[string, WantedBuckets, string]>([
    ['of the length that is asked for', { ...day, granularity: 3600 }, '24 x 3600 s from 2026-07-01T00:00:00.000000Z'],
    [
      'the first of which may start before the time, the last end after it',
      { start: '2026-07-01T00:59:59.999999Z', end: '2026-07-01T02:00:00.000001Z', granularity: 3600 },
      '3 x 3600 s from 2026-07-01T00:00:00.000000Z',
    ],
    [
      "counted from the time zone's midnight",
      { ...day, granularity: 86_400, timezone: 'Asia/Kolkata' },
      '2 x 86400 s from 2026-06-30T18:30:00.000000Z',
    ],
    [
      'of five minutes for two hours',
      { ...day, end: '2026-07-01T02:00:00Z' },
      '24 x 300 s from 2026-07-01T00:00:00.000000Z',
    ],
    ['of six hours for a day', day, '4 x 21600 s from 2026-07-01T00:00:00.000000Z'],
    ['of a day for a month', { ...day, end: '2026-08-01T00:00:00Z' }, '31 x 86400 s from 2026-07-01T00:00:00.000000Z'],
    [
      'before 1970, too',
      { start: '1969-12-31T22:00:00.5Z', end: '1970-01-01T01:00:00Z', granularity: 3600 },
      '3 x 3600 s from 1969-12-31T22:00:00.000000Z',
    ],
  ])('are %s', (_what, wanted, expected) => {
    expect(buckets(wanted)).toBe(expected);
  });

  it('are at most 10,000, however short they should be', () => {
    const { count, granularity } = timeBuckets({ ...day, granularity: 1 });
    expect(count).toBeLessThanOrEqual(10_000);
    expect(granularity).toBe(9);
    expect(timeBuckets({ start: '0001-01-01', end: '9999-12-31' }).count).toBeLessThanOrEqual(10_000);
  });

  it('end now by default', () => {
    expect(timeBuckets({ start: new Date(Date.now() - 3_600_000).toISOString() }).count).toBeGreaterThanOrEqual(12);
  });

  it.each([
    ['no time', { start: 'soon' }, 'start'],
    ['an end that is not after the start', { ...day, end: day.start }, 'end'],
    ['no time zone', { ...day, timezone: 'Mars/Base' }, 'timezone'],
  ])('are refused for %s', (_what, wanted, field) => {
    expect(() => timeBuckets(wanted)).toThrow(
      expect.objectContaining({ detail: [expect.objectContaining({ loc: ['body', field] })] }) as Error,
    );
  });
});
