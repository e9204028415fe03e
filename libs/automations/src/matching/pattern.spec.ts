import { ValidationError } from '@heddle/http';
import fc from 'fast-check';
import { RE2JS, RE2JSException } from 're2js';
import { assertPattern, patternOf } from './pattern.js';
import { requiredLiteral } from './required-literal.js';

describe('patternOf', () => {
  it.each([
    ['prod', 'preprod-2', true],
    ['^prod', 'preprod', false],
    ['^prod', 'production', true],
    ['prod$', 'preprod', true],
    ['^prod$', 'prod\n', false],
    ['^(stable|rc)-7(\\.\\d+)*$', 'rc-7.1.2', true],
    ['^(stable|rc)-7(\\.\\d+)*$', 'rc-8', false],
    ['(?i)PROD', 'production', true],
    ['.', '', false],
    ['', '', true],
  ])('finds /%s/ in %j: %s', (source, text, found) => {
    expect(patternOf(source).test(text)).toBe(found);
  });

  it('finds what the engine finds, whatever is compared first', () => {
    const pieces = [
      'a',
      'b',
      'ab',
      '.',
      '^',
      '$',
      '|',
      '(',
      ')',
      '(?:',
      '(?i)',
      '*',
      '+',
      '?',
      '{0,1}',
      '{2}',
      '*?',
      '[ab]',
      '[^a]',
      '\\.',
      '\\d',
      '\\b',
      '-',
      '\\Qa.b\\E',
      '😀',
    ];
    const sources = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((list) => list.join(''));
    const texts = fc
      .array(fc.constantFrom('a', 'b', 'A', '.', '-', '1', '😀'), { maxLength: 6 })
      .map((list) => list.join(''));
    fc.assert(
      fc.property(sources, texts, (source, text) => {
        const engine = compile(source);
        fc.pre(engine !== undefined);
        expect(patternOf(source).test(text)).toBe(engine!.test(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('takes time in proportion to the text for patterns that ruin other engines', () => {
    expect(patternOf('^(a|a)+$').test(`${'a'.repeat(50_000)}!`)).toBe(false);
    expect(patternOf('(x+x+)+y').test('x'.repeat(50_000))).toBe(false);
  });
});

describe('assertPattern', () => {
  it.each(['(', '[', 'a**', '(?=a)', '(?<!a)', '\\1', 'a{1001}', '(((a{30}){30}){30})'])('refuses %s', (source) => {
    expect(() => assertPattern(source, ['body'])).toThrow(ValidationError);
  });
});

describe('requiredLiteral', () => {
  it.each([
    ['^(stable|rc)-17(\\.\\d+)*$', '-17'],
    ['abc?d', 'ab'],
    ['ab+c', 'ab'],
    ['a|b', ''],
    ['(abc)', ''],
    ['(?i)abc', ''],
    ['v\\.1[0-9]', 'v.1'],
  ])('of %s is %j', (source, literal) => {
    expect(requiredLiteral(source)).toBe(literal);
  });
});

function compile(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}
