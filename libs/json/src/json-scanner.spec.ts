import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonScanner, type ScanOptions } from './json-scanner.js';
import type { JsonIndex } from './json-index.js';

const scan = (text: string | Buffer, options: ScanOptions = {}, budget = Infinity): JsonIndex => {
  const scanner = new JsonScanner(Buffer.from(text), options);
  while (!scanner.step(budget));
  return scanner.result();
};
const accepts = (read: (text: string) => unknown, text: string): boolean => {
  try {
    read(text);
    return true;
  } catch {
    return false;
  }
};

describe('JsonScanner', () => {
  it.each([
    ...['null', 'true', 'false', '0', '-0', '12', '-1.5', '1e5', '1E+5', '0.1e-99', '123456789012345678901234567890'],
    ...['""', '"a"', '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\u0000"', '"\\uD83D\\uDE00"', '"\\ud800"', '"\u2028é😀\u007f"'],
    ...['[]', '{}', '[[]]', '{"":{}}', ' [ 1 , 2 ] ', '\t{"a"\n:\r1 }\n', '{"a":1,"a":2}', '[1e400]', '{"\\u0000":0}'],
  ])('accepts %j', (text) => {
    expect(() => scan(text)).not.toThrow();
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it.each([
    ...['', ' ', '[', ']', '{', '}', '[1', '[1,', '[1,]', '[,1]', '[1 2]', '[1}', '{1}', '{"a"}', '{"a":}', '{"a":1'],
    ...['{"a":1]', '{"a":1,}', '{,}', '{"a" 1}', '{"a"::1}', '{a:1}', "{'a':1}", '[1]]', '1 2', '{}{}', '[1]x', '"a"b'],
    ...[
      'nul',
      'nulll',
      'True',
      'tru e',
      'undefined',
      '01',
      '-',
      '-a',
      '+1',
      '.5',
      '1.',
      '1.e1',
      '1e',
      '1e+',
      '0x1',
      '1_0',
    ],
    ...['--1', '"', '"a', '"\\"', '"\\x"', '"\\', '"\\u"', '"\\u12"', '"\\u12g4"', '"\\u123', '"\n"', '"\t"', '"\0"'],
    ...['\u00a0[]', '\v[]', '/**/1', '[1]//', 'nan', 'Inf', '-Inf', '+Infinity', '-NaN', '{NaN:1}', '\ufeff\ufeff1'],
  ])('rejects %j', (text) => {
    expect(() => scan(text)).toThrow(expect.objectContaining({ name: 'JsonSyntaxError' }));
    expect(() => JSON.parse(text)).toThrow();
  });

  it.each(['NaN', 'Infinity', '-Infinity', '[NaN,-Infinity]', '{"a":Infinity}', '\ufeff[1]'])(
    'accepts %j, which JSON.parse does not',
    (text) => {
      expect(() => scan(text)).not.toThrow();
      expect(() => JSON.parse(text)).toThrow();
    },
  );

  it.each([
    ['', 'Unexpected end of JSON input at byte 0'],
    ['{"secret":[1,', 'Unexpected end of JSON input at byte 13'],
    ['{"secret" 1}', 'Expected ":" at byte 10'],
    ['["é",]', 'Expected a JSON value at byte 6'],
    ['["secret" 1]', 'Expected "," or "]" at byte 10'],
    ['[trux]', 'Expected a JSON value at byte 4'],
    ['{"a":1}secret', 'Unexpected data after the JSON value at byte 7'],
    ['{secret:1}', 'Expected a property name in double quotes at byte 1'],
    ['[1.e3]', 'Invalid number at byte 3'],
    ['["a\n"]', 'Unescaped control character in a string at byte 3'],
    ['["a\\q"]', 'Invalid or incomplete escape in a string at byte 3'],
  ])('says of %j where it breaks, not what it holds', (text, message) => {
    expect(() => scan(text)).toThrow(message);
  });

  it('takes any nesting up to its limit, and names the place beyond', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(scan(nested(100_000)).records[5]! >>> 8).toBe(100_000);
    expect(() => scan(nested(100_001))).toThrow('Nested deeper than 100000 at byte 100000');
    expect(() => scan('{"a":[[1]]}', { maxDepth: 2 })).toThrow(
      expect.objectContaining({ name: 'JsonLimitError', offset: 6 }),
    );
  });

  it('bounds the index, not the values below its depth', () => {
    expect(scan('[[1,2,3,4,5],6]', { maxNodes: 3 }).count).toBe(3);
    expect(() => scan('[1,2,3]', { maxNodes: 3 })).toThrow('More than 3 values at byte 5');
  });

  it('agrees with JSON.parse on damaged JSON', () => {
    const damage = fc.record({ at: fc.nat(), drop: fc.nat(2), put: fc.constantFrom('', ...'{}[]",:\\0e.-u \n1tn') });
    fc.assert(
      fc.property(fc.json(), fc.array(damage, { minLength: 1, maxLength: 3 }), (json, damages) => {
        let text = json;
        for (const { at, drop, put } of damages) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + put + text.slice(place + drop);
        }
        expect([text, accepts(scan, text)]).toEqual([text, accepts(JSON.parse, text)]);
      }),
      { numRuns: 2000 },
    );
  });

  it('agrees with JSON.parse on arbitrary runs of tokens', () => {
    const token = fc.constantFrom(...'{}[],:', '"a"', '"\\ud800"', '1', '-', '0', '.5', 'e9', 'null', 'true', ' ');
    fc.assert(
      fc.property(fc.array(token, { maxLength: 8 }), (tokens) => {
        const text = tokens.join('');
        expect([text, accepts(scan, text)]).toEqual([text, accepts(JSON.parse, text)]);
      }),
      { numRuns: 5000 },
    );
  });

  it('finds the same whatever the slices', () => {
    const text =
      '\ufeff {"a\\u0000":[1.5e+3,{"b":"\\ud83d\\ude00\\ud800é"}],"x":"weave:///r" , "y":-0,"z":[[null,true]]} ';
    const facts = ({ records, count, references }: JsonIndex) => [[...records.subarray(0, 6 * count)], references];
    const whole = facts(scan(text, { depth: 3 }));
    for (let budget = 1; budget <= text.length; budget++)
      expect(facts(scan(text, { depth: 3 }, budget))).toEqual(whole);
  });

  it('fails at the same place whatever the slices', () => {
    for (const text of ['[1,"a\\u00zz"]', '{"abc":trve}', '[12.]', '[[[', '"\\ud800\\u']) {
      const failure = (budget: number) => {
        try {
          return scan(text, {}, budget);
        } catch (error) {
          return String(error);
        }
      };
      for (let budget = 1; budget <= text.length; budget++) expect(failure(budget)).toBe(failure(Infinity));
    }
  });
});
