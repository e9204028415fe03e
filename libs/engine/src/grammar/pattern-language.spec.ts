import fc from 'fast-check';
import { NoLanguageError } from './language.js';
import { patternLanguage } from './pattern-language.js';

describe('patternLanguage', () => {
  // As zod 4 and pydantic write them, and what makes each hard.
  it.each<[string, string[]]>([
    [
      "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
      ['a@b.co', '.a@b.co', 'a..b@b.co', 'a.b@c.d.ef'],
    ],
    [
      '^P(?:(\\d+W)|(?!.*W)(?=\\d|T\\d)(\\d+Y)?(\\d+M)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+([.,]\\d+)?S)?)?)$',
      ['P1W', 'P', 'P1Y2M', 'PT1H', 'PT', 'P1YT', 'P1W1D', 'PT1.5S'],
    ],
    [
      '^$|^(?:[0-9a-zA-Z+/]{4})*(?:(?:[0-9a-zA-Z+/]{2}==)|(?:[0-9a-zA-Z+/]{3}=))?$',
      ['', 'abcd', 'abc=', 'abc', 'ab=='],
    ],
    ['^(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{8,12}$', ['aB3aaaaa', 'aaaaaaaa', 'aB3', 'AAAAAAA1']],
    ['b+', ['abc', 'b', 'ac', '']],
    ['^a|b$', ['ax', 'xb', 'xa', 'bx']],
    ['^(a|^b)?c', ['c', 'ac', 'bc', 'xc']],
    ['(?:^|x)y$', ['y', 'xy', 'zy', 'zxy']],
    ['^\\p{L}+$', ['äöü', '日本', 'a1', '']],
    ['^[^\\x00-\\x1f"\\\\]*$', ['é😀', '"', '\n', '']],
    ['$^', ['', 'a']],
    ['^a(?!b)', ['a', 'ab', 'ac']],
    ['^(?:a(?=b|$)b?){2}$', ['abab', 'aba', 'aa', 'abab a']],
  ])('reads %s as JavaScript does', (source, texts) => {
    const language = patternLanguage(source);
    const pattern = new RegExp(source, 'u');
    for (const text of texts) expect([text, language.has(text)]).toEqual([text, pattern.test(text)]);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aAbcdwxyzPTW1.@=+ 日ä"\n'), maxLength: 12 }), (text) => {
        expect(language.has(text)).toBe(pattern.test(text));
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it.each(['(a)\\1', '\\bx', '(?<=a)b', '(', 'a{1,100000}', '(?:(?:a{99}){99}){99}', '[^]*a[^]{30}', '(?:a(?=b)b)*'])(
    'does not read %s',
    (source) => {
      expect(() => patternLanguage(source)).toThrow(NoLanguageError);
    },
  );
});
