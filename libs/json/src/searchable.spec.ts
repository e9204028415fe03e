import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { indexJsonSync } from './index-json.js';
import { isPlain, searchable, searchableSync } from './searchable.js';

const read = (text: string) => indexJsonSync(Buffer.from(text));
const nested = (depth: number, inner = '') => '['.repeat(depth) + inner + ']'.repeat(depth);

describe('searchable', () => {
  it('is the value’s own bytes if PostgreSQL can read them', () => {
    const node = read('{"a":"\\ud83d\\ude00 \\n","b":12345678901234567890}');
    expect(isPlain(node)).toBe(true);
    expect(searchableSync(node).buffer).toBe(node.index.bytes.buffer);
    expect(isPlain(read(nested(500)))).toBe(true);
  });

  it.each([
    ['"a\\u0000b"', '"a\\ufffdb"'],
    ['{"\\u0000":"\\\\u0000"}', '{"\\ufffd":"\\\\u0000"}'],
    ['"\\ud83d\\ude00\\ud83d"', '"\\ud83d\\ude00\\ufffd"'],
    ['"\\uD83D\\uD83D\\uDE00"', '"\\ufffd\\uD83D\\uDE00"'],
    ['"\\ude00\\ud83d"', '"\\ufffd\\ufffd"'],
    ['"\\ud83dx\\ude00"', '"\\ufffdx\\ufffd"'],
    ['"\\ud83d.ude00"', '"\\ufffd.ude00"'],
    ['"\\ud83d\\n\\u0000"', '"\\ufffd\\n\\ufffd"'],
  ])('turns %s into %s', (text, expected) => {
    expect(isPlain(read(text))).toBe(false);
    expect(searchableSync(read(text)).toString()).toBe(expected);
  });

  it('puts null where the nesting exceeds 500', () => {
    const deep = read(nested(499, `[[1,"]\\u0000"],2],{"a":[{}],"b":[]}`));
    expect(searchableSync(deep).toString()).toBe(nested(499, `[null,2],{"a":null,"b":null}`));
    expect(searchableSync(read(nested(10_000))).toString()).toBe(nested(500, 'null'));
  });

  it('works on one member of a body, whatever the slices', async () => {
    const member = `{"a":"\\u0000\\ud800 ${'x'.repeat(50)}","b":${nested(600, '1,"\\""')}}`;
    const node = read(`{"other":"\\u0000","member":${member},"more":[]}`).get('member')!;
    const expected = `{"a":"\\ufffd\\ufffd ${'x'.repeat(50)}","b":${nested(499, 'null')}}`;
    for (const slice of [1, 2, 3, 7, 100, undefined]) expect((await searchable(node, slice)).toString()).toBe(expected);
  });

  it('always ends up plain, and reads as the original with replacements', () => {
    const hostile = fc.array(
      fc.constantFrom('\\u0000', '\\ud800', '\\udc00', '\\uDBFF', '\\\\', '\\"', 'u0000', 'é', '\\n'),
    );
    fc.assert(
      fc.property(hostile, (pieces) => {
        const text = `["${pieces.join('')}"]`;
        const clean = indexJsonSync(searchableSync(read(text)));
        expect(isPlain(clean)).toBe(true);
        const [original] = JSON.parse(text) as string[];
        expect(clean.value()).toEqual([original!.replace(/[\0\p{Surrogate}]/gu, '\ufffd')]);
      }),
    );
  });
});
