import { readLenient } from './lenient-json.js';

describe('readLenient', () => {
  it('reads what is JSON as JSON.parse does', () => {
    expect(readLenient('{"a": [1, 2.5, null, "x"]}')).toEqual({ a: [1, 2.5, null, 'x'] });
  });

  it('reads the numbers that JSON lacks as words', () => {
    expect(readLenient('{"loss":NaN,"up":Infinity,"down":[-Infinity]}')).toEqual({
      loss: 'NaN',
      up: 'Infinity',
      down: ['-Infinity'],
    });
  });

  it('leaves strings alone that hold such words', () => {
    expect(readLenient('{"NaN": "a \\"NaN\\" is no Infinity", "x": NaN}')).toEqual({
      NaN: 'a "NaN" is no Infinity',
      x: 'NaN',
    });
  });

  it('refuses what is neither', () => {
    expect(() => readLenient('{"a": NaNny}')).toThrow(SyntaxError);
    expect(() => readLenient('{')).toThrow(SyntaxError);
  });
});
