import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { appendMember, jsonArray, jsonObject, raw } from './json-writer.js';

describe('jsonObject and jsonArray', () => {
  it('write raw text untouched beside plain values', () => {
    const inputs = Buffer.from('{ "n": 12345678901234567890, "s": "\\u0000é" }');
    const members = [
      ['id', 'é"\ud800'],
      ['left out', undefined],
      ['inputs', raw(inputs)],
      ['output', raw('1.0')],
      ['count', 9007199254740993n],
      ['at', new Date(0)],
      ['tags', ['a', null]],
    ] as const;
    expect(jsonObject(members).toString()).toBe(
      `{"id":"é\\"\\ud800","inputs":${inputs.toString()},"output":1.0,"count":9007199254740993,` +
        `"at":"1970-01-01T00:00:00.000Z","tags":["a",null]}`,
    );
    expect(jsonArray([raw(inputs), undefined, 1]).toString()).toBe(`[${inputs.toString()},null,1]`);
  });

  it('write empty ones', () => {
    expect(jsonObject([]).toString()).toBe('{}');
    expect(jsonArray([]).toString()).toBe('[]');
  });

  it('refuse raw text within a plain value, where it would be parsed', () => {
    expect(() => jsonObject([['a', { b: raw('1') }]])).toThrow(TypeError);
  });

  it('write what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (object) => {
        expect(jsonObject(Object.entries(object)).toString()).toBe(JSON.stringify(object));
        expect(jsonArray(Object.values(object)).toString()).toBe(JSON.stringify(Object.values(object)));
      }),
    );
  });
});

describe('appendMember', () => {
  it.each([
    ['{}', '{"k":1}'],
    [' { } ', ' {"k":1} '],
    ['{"a":{}}', '{"a":{},"k":1}'],
    ['{"a":"{" }\n', '{"a":"{","k":1}\n'],
    ['{"a":"}"}', '{"a":"}","k":1}'],
  ])('turns %j into %j', (before, after) => {
    expect(appendMember(Buffer.from(before), 'k', 1).toString()).toBe(after);
  });

  it('splices raw text, and wins over an earlier member of that name', () => {
    const spliced = appendMember(Buffer.from('{"weave":0,"n":1e400}'), 'weave', raw('{"status":"success"}'));
    expect(spliced.toString()).toBe('{"weave":0,"n":1e400,"weave":{"status":"success"}}');
    expect(JSON.parse(spliced.toString())).toMatchObject({ weave: { status: 'success' } });
  });

  it.each(['', '}', '[]', 'null', '"}"'])('refuses %j', (text) => {
    expect(() => appendMember(Buffer.from(text), 'k', 1)).toThrow(TypeError);
  });
});
