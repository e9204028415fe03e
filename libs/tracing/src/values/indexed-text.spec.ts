import { describe, expect, it } from '@jest/globals';
import { encodeText } from '@heddle/json';
import { indexedText, isShortened, originalText } from './indexed-text.js';

const long = 'x'.repeat(5000);
const hostile = [
  '\0'.repeat(2000),
  '\ud800'.repeat(2000),
  '\ufdd0'.repeat(2000),
  '😀'.repeat(2000),
  `${'x'.repeat(255)}😀${long}`,
];

describe('indexedText', () => {
  it.each(['', 'weave:///a/b/op/c:1', '日本語', 'a\0b\ud800', '\ufdd0#'])(
    'keeps the short text %j, encoded',
    (text) => {
      expect(indexedText(text)).toBe(encodeText(text));
      expect(originalText(indexedText(text), null)).toBe(text);
    },
  );

  it.each([long, ...hostile])('fits into an index (%#)', (text) => {
    expect(Buffer.byteLength(indexedText(text))).toBeLessThan(2000);
    expect(indexedText(text).isWellFormed()).toBe(true);
  });

  it('tells long texts apart, and from what is short', () => {
    const texts = [long, `${long}x`, ...hostile, indexedText(long)];
    expect(new Set(texts.map(indexedText)).size).toBe(texts.length);
  });

  it('keeps the beginning, for searches by prefix', () => {
    expect(indexedText(`weave:///team/project/op/name:${long}`)).toMatch(/^weave:\/\/\/team\/project\/op\/name:xxx/);
  });

  it('gives back what was shortened with the originals beside it', () => {
    const stored = indexedText(long);
    expect([isShortened(stored), isShortened('x'), isShortened(indexedText('\ufdd0#'))]).toEqual([true, false, false]);
    expect(originalText(stored, { [stored]: encodeText(long) })).toBe(long);
  });
});
