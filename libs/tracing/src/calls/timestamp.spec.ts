import { describe, expect, it } from '@jest/globals';
import { parseTimestamp } from './timestamp.js';

const micros = (iso: string, fraction = 0): bigint => BigInt(Date.parse(iso)) * 1000n + BigInt(fraction);
const noon = micros('2026-01-31T12:00:00Z');

describe('parseTimestamp', () => {
  it.each([
    ['2026-01-31T12:00:00Z', noon],
    ['2026-01-31t12:00:00z', noon],
    ['2026-01-31T12:00Z', noon],
    ['2026-01-31 12:00:00', noon],
    ['  2026-01-31T12:00:00.000  ', noon],
    ['2026-01-31T12:00:00.1', noon + 100_000n],
    ['2026-01-31T12:00:00,000001', noon + 1n],
    ['2026-01-31T12:00:00.9999999', noon + 999_999n],
    ['2026-01-31T17:30:00+05:30', noon],
    ['2026-01-31T17:30:00+0530', noon],
    ['2026-01-31T04:00:00-08', noon],
    ['2026-01-31', micros('2026-01-31')],
    ['2024-02-29T00:00:00Z', micros('2024-02-29')],
    ['2016-12-31T23:59:60Z', micros('2017-01-01')],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000_000n],
    ['0099-12-31T23:59:59Z', -59_011_459_201_000_000n],
    ['9999-12-31T23:59:59.999999Z', 253_402_300_799_999_999n],
  ])('reads %p', (text, expected) => {
    expect(parseTimestamp(text)).toBe(expected);
  });

  it.each([
    ['0', 0n],
    ['1769860800.123456', noon + 123_456n],
    ['-1.5', -1_500_000n],
    ['1.7698608e9', noon],
    ['1769860800123', noon + 123_000n],
  ])('reads the unix time %p', (text, expected) => {
    expect(parseTimestamp(text)).toBe(expected);
  });

  it.each([
    '',
    'now',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:60:00Z',
    '2026-01-31T12:00:61Z',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00Z tomorrow',
    '0000-12-31T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '12026-01-31T12:00:00Z',
    '1e300',
    '-1e300',
    'NaN',
    'Infinity',
  ])('refuses %p', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});
