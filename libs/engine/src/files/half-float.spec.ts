import fc from 'fast-check';
import { decodeBfloat16, decodeFloat16, encodeFloat16 } from './half-float.js';

const decode = (...halves: number[]): number[] => {
  const into = new Float32Array(halves.length);
  decodeFloat16(Uint16Array.from(halves), into);
  return [...into];
};

const encode = (...values: number[]): number[] => {
  const into = new Uint16Array(values.length);
  encodeFloat16(Float32Array.from(values), into);
  return [...into];
};

const every = Array.from({ length: 0x10000 }, (_, half) => half);
const isNaNHalf = (half: number): boolean => (half & 0x7fff) > 0x7c00;

describe('binary16', () => {
  it.each([
    ['zero', 0x0000, 0],
    ['negative zero', 0x8000, -0],
    ['one', 0x3c00, 1],
    ['a third', 0x3555, 0.333251953125],
    ['the largest', 0x7bff, 65504],
    ['the smallest normal', 0x0400, 2 ** -14],
    ['the largest subnormal', 0x03ff, 1023 * 2 ** -24],
    ['the smallest subnormal', 0x8001, -(2 ** -24)],
    ['infinity', 0xfc00, -Infinity],
  ])('holds %s', (_name, half, value) => {
    expect(decode(half)).toEqual([value]);
    expect(encode(value)).toEqual([half]);
  });

  it('gives every one of its numbers back', () => {
    const numbers = every.filter((half) => !isNaNHalf(half));
    expect(encode(...decode(...numbers))).toEqual(numbers);
  });

  it('keeps NaN and its sign', () => {
    const nans = every.filter(isNaNHalf);
    expect(decode(...nans).every(Number.isNaN)).toBe(true);
    const into = new Uint16Array(2);
    encodeFloat16(new Float32Array(Uint32Array.of(0x7f800001, 0xffc00000).buffer), into);
    expect([...into].map((half) => [isNaNHalf(half), half >>> 15])).toEqual([
      [true, 0],
      [true, 1],
    ]);
  });

  it.each([
    ['down to even', 1 + 2 ** -11, 0x3c00],
    ['up to even', 1 + 3 * 2 ** -11, 0x3c02],
    ['up when over the tie', 1 + 2 ** -11 + 2 ** -23, 0x3c01],
    ['into the next power of two', 2 - 2 ** -12, 0x4000],
    ['up to the smallest normal', 1023.5 * 2 ** -24, 0x0400],
    ['half of the smallest to zero', 2 ** -25, 0x0000],
    ['more than that to the smallest', 2 ** -25 + 2 ** -48, 0x0001],
    ['the smallest f32 to zero', -(2 ** -149), 0x8000],
    ['the largest that stays finite', 65519.99609375, 0x7bff],
    ['the smallest that does not', 65520, 0x7c00],
    ['the largest f32', 3.4028234663852886e38, 0x7c00],
  ])('rounds %s', (_name, value, half) => {
    expect(encode(value)).toEqual([half]);
  });

  it('rounds to the nearest, ties to even', () => {
    const positive = decode(...every.slice(0, 0x7c00));
    const nearest = (value: number): number => {
      let low = 0;
      for (let high = positive.length; high - low > 1;) {
        const middle = (low + high) >> 1;
        if (positive[middle]! <= value) low = middle;
        else high = middle;
      }
      const below = value - positive[low]!;
      const above = (positive[low + 1] ?? 65536) - value;
      return below < above || (below === above && low % 2 === 0) ? low : low + 1;
    };
    fc.assert(
      fc.property(fc.float({ min: 0, max: 70000, noNaN: true }), (value) => {
        const expected = Object.is(value, -0) ? 0x8000 : nearest(value);
        expect(encode(value, -value)).toEqual([expected, expected ^ 0x8000]);
      }),
    );
  });
});

test('bfloat16 is the upper half of binary32', () => {
  const into = new Float32Array(4);
  decodeBfloat16(Uint16Array.of(0x3f80, 0xc049, 0x0001, 0x7f80), into);
  expect([...into]).toEqual([1, -3.140625, 2 ** -133, Infinity]);
});
