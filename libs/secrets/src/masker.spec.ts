import { Masker } from './masker.js';

const SECRET = 'p@ss/"w\\rd+ é🔑<&>\n~!';
const masker = new Masker([SECRET]);

describe('Masker', () => {
  it.each<[string, string]>([
    ['as it is', SECRET],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in JSON of ASCII only', 'p@ss/\\"w\\\\rd+ \\u00e9\\ud83d\\udd11<&>\\n~!'],
    ['in JSON of ASCII only, upper case', 'p@ss/\\"w\\\\rd+ \\u00E9\\uD83D\\uDD11<&>\\n~!'],
    ['in JSON with escaped slashes', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
    ['in JSON for pages', 'p@ss/\\"w\\\\rd\\u002b é🔑\\u003c\\u0026\\u003e\\n~!'],
    ['in JSON inside JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    ['as a part of a URL', encodeURIComponent(SECRET)],
    ['as a part of a URL, lower case', encodeURIComponent(SECRET).replace(/%../g, (hex) => hex.toLowerCase())],
    ['as a URL', encodeURI(SECRET)],
    ['in a form', new URLSearchParams({ key: SECRET }).toString().slice(4)],
  ])('masks a value %s', (_, form) => {
    expect(masker.mask(`before ${form} after ${form}`)).toBe('before *** after ***');
  });

  it.each(['', 'a', 'ab', 'user:', '{"token":"', 'Bearer '])('masks a value in base64 behind %j', (before) => {
    for (const after of ['', 'z', 'zz', '"}']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const masked = masker.mask(Buffer.from(before + SECRET + after).toString(encoding));
        expect(masked).toContain('***');
        // Nothing but the neighbours' bytes, and the letters that they share with it, are left.
        expect(masked.replace('***', '').replace(/=+$/, '').length).toBeLessThanOrEqual(
          Math.ceil(((before.length + after.length) * 4) / 3) + 4,
        );
      }
    }
  });

  it('masks every value, and the longer first where one holds the other', () => {
    expect(new Masker(['abcd', 'abcdefgh', null, '']).mask('abcdefgh abcd')).toBe('*** ***');
  });

  it('masks a signing key without its prefix too', () => {
    expect(new Masker(['whsec_MfKQ9r8GKYqrTwjU']).mask('key=MfKQ9r8GKYqrTwjU')).toBe('key=***');
  });

  it('masks the beginning of a value where the text was cut off', () => {
    const plain = new Masker(['correct-horse']);
    expect(plain.mask('token=correct-ho', { cut: true })).toBe('token=***');
    expect(plain.mask('token=correct-ho')).toBe('token=correct-ho');
    expect(plain.mask('no secret here', { cut: true })).toBe('no secret here');
  });

  it('leaves other text alone', () => {
    const text = 'p@ss/ "w rd+ é🔑 \\n %20';
    expect(masker.mask(text)).toBe(text);
    expect(new Masker([]).mask(text)).toBe(text);
  });
});
