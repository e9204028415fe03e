import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { indexJsonSync } from './index-json.js';
import type { JsonNode } from './json-node.js';

const read = (text: string, depth = 1): JsonNode => indexJsonSync(Buffer.from(text), { depth });

/** The value, put together from the cursor alone. */
function rebuilt(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object': {
      const members = [...node.entries()].map(([key, child]) => [key, rebuilt(child)] as const);
      return Object.fromEntries(members);
    }
    case 'array':
      return [...node.items()].map(rebuilt);
    case 'null':
      return null;
    default:
      return node.string() ?? node.number() ?? node.boolean();
  }
}

function nestingOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(nestingOf));
}

describe('JsonNode', () => {
  it('knows how many values it holds', () => {
    const root = read('{"a": [1, {"b": null}], "c": []}', 9);
    const nodes = [root, root.get('a')!, root.get('c')!];
    expect(nodes.map(({ indexedValues }) => indexedValues)).toEqual([6, 4, 1]);
    expect(nodes.map(({ childCount }) => childCount)).toEqual([2, 2, 0]);
  });

  it('holds the values that JSON.parse finds, at every indexed depth', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.nat(6), (text, depth) => {
        const root = read(text, depth);
        expect(rebuilt(root)).toEqual(JSON.parse(text));
        expect(root.nesting).toBe(nestingOf(JSON.parse(text)));
        for (const child of root.entries().values()) expect(child.nesting).toBe(nestingOf(child.value()));
      }),
    );
  });

  it('gives a member for every key, whatever is in it', () => {
    const odd = fc.dictionary(fc.string({ unit: 'binary', maxLength: 4 }), fc.integer());
    fc.assert(
      fc.property(odd, fc.string({ unit: 'binary', maxLength: 4 }), (object, other) => {
        const root = read(JSON.stringify(object));
        expect(root.keys().sort()).toEqual(Object.keys(object).sort());
        for (const key of Object.keys(object)) expect(root.get(key)?.number()).toBe(object[key]);
        expect(root.get(other)?.number()).toBe(Object.hasOwn(object, other) ? object[other] : undefined);
      }),
    );
  });

  it('keeps the text of a value to the last character, as a view of the body', () => {
    const text = '{ "x" : { "n":12345678901234567890.10, "n": 1e2,\t"s":"\\u00e9\\/" } , "y":-0.0 }';
    const body = Buffer.from(text);
    const root = indexJsonSync(body);
    expect(root.get('x')!.text()).toBe('{ "n":12345678901234567890.10, "n": 1e2,\t"s":"\\u00e9\\/" }');
    expect(root.get('y')!.text()).toBe('-0.0');
    expect(root.raw().toString()).toBe(text);
    expect(root.get('x')!.raw().buffer).toBe(body.buffer);
  });

  it('takes the last of several members, in the place of the first', () => {
    const root = read('{"a":1,"b":{"c":1},"\\u0061":2,"a":[3]}');
    expect(root.get('a')!.text()).toBe('[3]');
    expect(root.keys()).toEqual(['a', 'b']);
    expect(root.entries().get('a')!.value()).toEqual([3]);
  });

  it('does not confuse a key with a longer or an inherited one', () => {
    const root = read('{"id2":1,"i":2,"é":3,"__proto__":4}');
    expect(root.get('id')).toBeUndefined();
    expect(root.get('constructor')).toBeUndefined();
    expect(root.get('é')!.number()).toBe(3);
    expect(root.get('__proto__')!.number()).toBe(4);
  });

  it('answers for the wrong kind with nothing', () => {
    const [array, text] = [read('[1]'), read('"a"')];
    expect([array.get('0'), array.string(), array.keys(), text.number(), text.boolean()]).toEqual([
      undefined,
      undefined,
      [],
      undefined,
      undefined,
    ]);
    expect([...text.items(), ...read('{"a":1}').items()]).toEqual([]);
  });

  it('knows which values hold NUL and lone surrogate escapes', () => {
    const root = read(
      '{"nul":["\\u0000"],"key":{"\\u0000":1},"high":"\\ud800","low":"\\uDC00x","\\u0000":1,"pair":"\\ud83d\\ude00"}',
      2,
    );
    const facts = [...root.entries()].map(([key, node]) => [key, node.hasNul, node.hasLoneSurrogate]);
    expect(facts).toEqual([
      ['nul', true, false],
      ['key', true, false],
      ['high', false, true],
      ['low', false, true],
      ['\0', false, false],
      ['pair', false, false],
    ]);
    expect([root.hasNul, root.hasLoneSurrogate]).toEqual([true, true]);
    expect(read('"\\\\u0000 \\\\ud800"')).toMatchObject({ hasNul: false, hasLoneSurrogate: false });
  });

  it('measures the nesting of neighbours apart', () => {
    const root = read('{"deep":[[[[1]]]],"flat":[1],"none":1,"mixed":[[],[[[]]]]}', 2);
    expect([...root.entries()].map(([, node]) => node.nesting)).toEqual([4, 1, 0, 4]);
    expect(root.nesting).toBe(5);
  });
});
