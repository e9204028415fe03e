import { allLive, summedParts } from './summed-parts.js';
import { timeBuckets } from './time-buckets.js';

const bucketsOf = (start: string, end: string, more: object = {}) =>
  timeBuckets({ start: `2026-01-31T${start}Z`, end: `2026-01-31T${end}Z`, granularity: 300, ...more });
const at = (clock: string): bigint => BigInt(Date.parse(`2026-01-31T${clock}Z`)) * 1000n;

describe('summedParts', () => {
  it('takes whole minutes from sums, and broken ones at the ends call by call', () => {
    expect(summedParts(bucketsOf('12:00:30', '12:10:00.000001'))).toEqual({
      minutes: [at('12:01:00'), at('12:10:00')],
      without: [],
      live: [
        [at('12:00:30'), at('12:01:00')],
        [at('12:10:00'), at('12:10:00') + 1n],
      ],
    });
  });

  it('needs no call where all minutes are whole', () => {
    expect(summedParts(bucketsOf('12:00:00', '12:10:00')).live).toEqual([]);
  });

  it('reads call by call a minute in the middle of which a price changes', () => {
    const { without, live } = summedParts(bucketsOf('12:00:00', '12:10:00'), [
      at('12:05:30'),
      at('12:07:00'),
      at('13:00:01'),
    ]);
    expect(without).toEqual([at('12:05:00')]);
    expect(live).toEqual([[at('12:05:00'), at('12:06:00')]]);
  });

  it.each([
    ['buckets that are no minutes', bucketsOf('12:00:00', '12:10:00', { granularity: 90 })],
    ['less than a whole minute', bucketsOf('12:00:30', '12:01:10')],
  ])('reads everything call by call for %s', (_what, buckets) => {
    expect(summedParts(buckets)).toEqual(allLive(buckets));
  });

  it('counts minutes before 1970 as those after', () => {
    const early = timeBuckets({ start: '1969-12-31T23:58:30Z', end: '1970-01-01T00:00:30Z', granularity: 60 });
    expect(summedParts(early).minutes).toEqual([-60_000_000n, 0n]);
  });
});
