import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeText, encodeText } from './text-codec.js';

const anyText = fc
  .array(fc.constantFrom('a', '0', 'é', '😀', '\0', '\ud83d', '\ude00', '\ufdd0', '\ufdd00000', '\u{10fffd}', '\uffff'))
  .map((pieces) => pieces.join(''));

describe('encodeText', () => {
  it('leaves ordinary text as it is', () => {
    expect(encodeText('weave:///é/😀\n\u{10fffd}\ufffd')).toBe('weave:///é/😀\n\u{10fffd}\ufffd');
    expect(decodeText('plain')).toBe('plain');
  });

  it('writes what PostgreSQL can’t hold, and its own escape character, as four hex digits', () => {
    expect(encodeText('\0 \ud83d \ude00 \ufdd0')).toBe('\ufdd00000 \ufdd0d83d \ufdd0de00 \ufdd0fdd0');
  });

  it('is undone by decodeText, so that different strings stay different', () => {
    fc.assert(fc.property(anyText, (text) => expect(decodeText(encodeText(text))).toBe(text)));
  });

  it('holds neither U+0000 nor half a surrogate pair', () => {
    fc.assert(fc.property(anyText, (text) => expect(encodeText(text)).not.toMatch(/[\0\p{Surrogate}]/u)));
  });

  it('keeps prefixes, counted in whole characters', () => {
    const startsWith = (text: string, prefix: string) =>
      [...prefix].every((character, i) => [...text][i] === character);
    fc.assert(
      fc.property(anyText, anyText, fc.boolean(), (prefix, rest, extend) => {
        const text = extend ? prefix + rest : rest;
        expect(encodeText(text).startsWith(encodeText(prefix))).toBe(startsWith(text, prefix));
      }),
    );
  });
});
