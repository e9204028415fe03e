import type { StatsPlan } from './span-stats-plan.js';
import { rangeRows, timeRows } from './span-stats-rows.js';

const plan = {
  keys: [{ name: 'v0', alias: 'agent', type: 'string', column: 'agent_name' }],
  columns: [
    { name: 'count_a', empty: 0 },
    { name: 'max_a', empty: null },
  ],
} as unknown as StatsPlan;
const long_texts = null;

describe('timeRows', () => {
  const buckets = { start: 0n, end: 0n, first: 0n, granularity: 60, count: 2, timezone: 'UTC' };

  it('has each group in each bucket, with zeros and nulls where there is nothing', () => {
    const found = [
      { rank: 1, v0: 'a', bucket: 1, values: [2, 5], long_texts },
      { rank: 2, v0: null, bucket: 0, values: [1, 4], long_texts },
    ];
    expect(timeRows(plan, buckets, found)).toEqual([
      { timestamp: '1970-01-01T00:00:00.000000Z', agent: 'a', count_a: 0, max_a: null },
      { timestamp: '1970-01-01T00:00:00.000000Z', agent: null, count_a: 1, max_a: 4 },
      { timestamp: '1970-01-01T00:01:00.000000Z', agent: 'a', count_a: 2, max_a: 5 },
      { timestamp: '1970-01-01T00:01:00.000000Z', agent: null, count_a: 0, max_a: null },
    ]);
  });

  it('has empty buckets without groups only', () => {
    expect(timeRows(plan, buckets, [])).toEqual([]);
    expect(timeRows({ ...plan, keys: [] } as unknown as StatsPlan, buckets, [])).toHaveLength(2);
  });
});

describe('rangeRows', () => {
  const row = (low: number, high: number, bucket: number | null) => ({
    low,
    high,
    bucket,
    values: bucket === null ? null : [1, 2],
  });

  it('has ranges of equal width up to the greatest value', () => {
    expect(rangeRows(plan, 2, [row(0, 3, 1)])).toEqual([
      { bucket_index: 0, bucket_min: 0, bucket_max: 1.5, count_a: 0, max_a: null },
      { bucket_index: 1, bucket_min: 1.5, bucket_max: 3, count_a: 1, max_a: 2 },
    ]);
  });

  it('has one range for one value, and none for none', () => {
    expect(rangeRows(plan, 5, [row(7, 7, 0)])).toEqual([
      { bucket_index: 0, bucket_min: 7, bucket_max: 7, count_a: 1, max_a: 2 },
    ]);
    expect(rangeRows(plan, 5, [])).toEqual([]);
  });
});
