import { readRetryAfter } from './retry-after.js';

const NOW = new Date('2026-11-27T10:00:00Z');

describe('readRetryAfter', () => {
  it.each<[string | undefined, number | null]>([
    ['120', 120],
    [' 0 ', 0],
    ['9999999999', 9_999_999_999],
    ['Fri, 27 Nov 2026 10:02:00 GMT', 120],
    ['Friday, 27-Nov-26 10:00:30 GMT', 30],
    ['Fri Nov 27 10:00:30 2026 GMT', 30],
    ['Fri, 27 Nov 2026 09:00:00 GMT', 0],
    [undefined, null],
    ['', null],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['1e3', null],
    ['Fri, 99 Nov 2026', null],
    ['2026-11-27', null],
  ])('reads %j as %j seconds', (header, seconds) => {
    expect(readRetryAfter(header, NOW)).toBe(seconds);
  });
});
