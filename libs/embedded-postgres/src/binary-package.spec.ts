import { describe, expect, it } from '@jest/globals';
import { parseLinks } from './binary-package.js';

describe('the library links of a binary package', () => {
  it('are pairs of names in one folder', () => {
    const link = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' };
    expect(parseLinks(JSON.stringify([link]))).toEqual([link]);
  });

  it('leave out what leads elsewhere or is no link', () => {
    const odd = [
      { source: '/etc/passwd', target: 'native/lib/libpq.so.5' },
      { source: 1, target: 'a' },
      { source: 'a' },
    ];
    expect(parseLinks(JSON.stringify(odd))).toEqual([]);
    expect(parseLinks('{}')).toEqual([]);
  });
});
