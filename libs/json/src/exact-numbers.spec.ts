import { ExactNumber, parseExact, writeExact } from './exact-numbers.js';

describe('exact numbers', () => {
  it.each([
    '{"a":9223372036854775807,"b":[-9223372036854775808,1],"c":{"d":12345678901234567890123}}',
    '{"text":"9223372036854775807","escaped":"say \\"9223372036854775807\\"","last":9007199254740993}',
    '{"9223372036854775807":9223372036854775807,"back\\\\":9007199254740993}',
    '18446744073709551615',
    '["exact 00000000-0000-4000-8000-000000000000 12",9007199254740993]',
  ])('%s comes back as it was', (text) => {
    expect(writeExact(parseExact(text))).toBe(text);
  });

  it('are numbers where a double holds them', () => {
    expect(parseExact('[9007199254740991, -1000000000000000, 0.12345678901234567, 1e300, 1234567890123456.5]')).toEqual(
      [9007199254740991, -1000000000000000, 0.12345678901234567, 1e300, 1234567890123456.5],
    );
  });

  it('are text for whoever writes them as JSON otherwise', () => {
    expect(JSON.stringify({ a: new ExactNumber('9007199254740993') })).toBe('{"a":"9007199254740993"}');
    expect(`${new ExactNumber('9007199254740993')}`).toBe('9007199254740993');
  });

  it('are written alike after a value that can not be', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    expect(() => writeExact(circular)).toThrow();
    expect(JSON.stringify(new ExactNumber('9007199254740993'))).toBe('"9007199254740993"');
  });
});
