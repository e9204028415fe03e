export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const BRACKET_OPEN = 0x5b;
export const BACKSLASH = 0x5c;
export const BRACKET_CLOSE = 0x5d;
export const BRACE_OPEN = 0x7b;
export const BRACE_CLOSE = 0x7d;

export const isWhitespace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** JSON's literals, and the three number tokens that Python's json.dumps writes although JSON has no such numbers. */
export const literal = {
  true: Buffer.from('true'),
  false: Buffer.from('false'),
  null: Buffer.from('null'),
  nan: Buffer.from('NaN'),
  infinity: Buffer.from('Infinity'),
  minusInfinity: Buffer.from('-Infinity'),
};

/** How many bytes of `token` stand at `at`: all of `token.length` if it is there. */
export function matchLength(bytes: Uint8Array, at: number, end: number, token: Uint8Array): number {
  let length = 0;
  while (length < token.length && at + length < end && bytes[at + length] === token[length]) length++;
  return length;
}
