import { isBase64 } from './base64-content.decorator.js';

describe('isBase64', () => {
  it.each([0, 1, 2, 3, 4, 100_000])('takes %d bytes', (length) => {
    expect(isBase64(Buffer.alloc(length, 7).toString('base64'))).toBe(true);
  });

  it.each(['a', 'abc', 'ab=c', 'a===', '====', 'ab c', 'abc\u00e9', 'ab-_', 'YWJj YWJj', 'abcd=\n==', 5, null])(
    'does not take %j',
    (text) => {
      expect(isBase64(text)).toBe(false);
    },
  );
});
