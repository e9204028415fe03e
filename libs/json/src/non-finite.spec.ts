import { fromJsonDouble, toJsonDouble } from './non-finite.js';

describe('a double in JSON', () => {
  it.each([NaN, Infinity, -Infinity, 0, 1.5, -1e-300, 1.7976931348623157e308])('comes back: %d', (value) => {
    const text = JSON.stringify(toJsonDouble(value));
    expect(fromJsonDouble(JSON.parse(text))).toBe(value);
  });

  it('is a word where JSON has no number', () => {
    expect([NaN, Infinity, -Infinity, 1].map(toJsonDouble)).toEqual(['NaN', 'Infinity', '-Infinity', 1]);
  });

  it.each(['nan', 'inf', '1', '', '+Infinity', ' NaN', null, true, [], {}])('is not %j', (value) => {
    expect(fromJsonDouble(value)).toBeUndefined();
  });
});
