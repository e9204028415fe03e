import { attributeAt, nestAttributes } from './attribute-tree.js';
import { type OtelValue, toJson } from './otel-value.js';

const nested = (flat: Record<string, OtelValue>): unknown =>
  JSON.parse(toJson(nestAttributes(new Map(Object.entries(flat))))) as unknown;

describe('nestAttributes', () => {
  it('nests dotted keys and makes lists of numbered ones', () => {
    expect(nested({ 'a.b.c': 1, 'a.d': 2, 'l.1.x': 'second', 'l.0.x': 'first' })).toEqual({
      a: { b: { c: 1 }, d: 2 },
      l: [{ x: 'first' }, { x: 'second' }],
    });
  });

  it('makes no list of numbers with a gap', () => {
    expect(nested({ 'l.0': 'a', 'l.2': 'c' })).toEqual({ l: { 0: 'a', 2: 'c' } });
  });

  it('keeps a key flat that leads through the value of another, in either order', () => {
    expect(nested({ 'a.b': 2, a: 1 })).toEqual({ a: 1, 'a.b': 2 });
    expect(nested({ a: 1, 'a.b': 2 })).toEqual({ a: 1, 'a.b': 2 });
  });

  it('leaves a map that is a value as it came', () => {
    expect(nested({ m: new Map([['0', 'x']]), 'm.1': 'y' })).toEqual({ m: { 0: 'x' }, 'm.1': 'y' });
  });

  it('takes keys that mean something to JavaScript for plain keys', () => {
    expect(toJson(nestAttributes(new Map([['__proto__.polluted', true]])))).toBe('{"__proto__":{"polluted":true}}');
    expect({}).not.toHaveProperty('polluted');
  });

  it('keeps very long keys flat', () => {
    const key = Array(50_000).fill('a').join('.');
    expect(nested({ [key]: 1 })).toEqual({ [key]: 1 });
  });
});

describe('attributeAt', () => {
  it('finds values and branches by dotted key', () => {
    const tree = nestAttributes(
      new Map<string, OtelValue>([
        ['a', 1],
        ['a.b', 2],
        ['c.d', 3],
      ]),
    );
    expect(['a', 'a.b', 'c.d', 'c.x', 'x'].map((key) => attributeAt(tree, key))).toEqual([
      1,
      2,
      3,
      undefined,
      undefined,
    ]);
    expect(toJson(attributeAt(tree, 'c')!)).toBe('{"d":3}');
  });
});
