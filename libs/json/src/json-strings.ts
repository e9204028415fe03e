import { BACKSLASH, QUOTE } from './json-bytes.js';

const STOPS = new Uint8Array(256);
STOPS.fill(1, 0, 0x20);
STOPS[QUOTE] = STOPS[BACKSLASH] = 1;

const HEX = new Int8Array(256).fill(-1);
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = parseInt(digit, 16);

const SHORT_ESCAPES = new Uint8Array(256);
for (const letter of '"\\/bfnrt') SHORT_ESCAPES[letter.charCodeAt(0)] = 1;

export const SHORT_ESCAPE = -1;
export const INVALID_ESCAPE = -2;

/** From `at` inside a string to the next quote, backslash or control character; `limit` if there is none before. */
export function skipPlain(bytes: Uint8Array, at: number, limit: number): number {
  while (at < limit && STOPS[bytes[at]!] === 0) at++;
  return at;
}

/** What the escape at `at` stands for: the UTF-16 unit of \uXXXX, SHORT_ESCAPE for \n and the like, or INVALID_ESCAPE. */
export function escapedUnit(bytes: Uint8Array, at: number, end: number): number {
  if (at + 1 >= end) return INVALID_ESCAPE;
  const letter = bytes[at + 1]!;
  if (letter !== 0x75) return SHORT_ESCAPES[letter] === 1 ? SHORT_ESCAPE : INVALID_ESCAPE;
  if (at + 5 >= end) return INVALID_ESCAPE;
  const [a, b, c, d] = [HEX[bytes[at + 2]!]!, HEX[bytes[at + 3]!]!, HEX[bytes[at + 4]!]!, HEX[bytes[at + 5]!]!];
  return (a | b | c | d) < 0 ? INVALID_ESCAPE : (a << 12) | (b << 8) | (c << 4) | d;
}

export const isSurrogate = (unit: number): boolean => (unit & 0xf800) === 0xd800;

/** Whether `unit`, escaped at `at`, is a high surrogate whose low half follows as the next escape. */
export const startsPair = (bytes: Uint8Array, at: number, end: number, unit: number): boolean =>
  unit < 0xdc00 && bytes[at + 6] === BACKSLASH && (escapedUnit(bytes, at + 6, end) & ~0x3ff) === 0xdc00;

/** The offset after the closing quote of the (valid) string that starts at `at`; `limit` if it is not closed before. */
export function stringEnd(bytes: Uint8Array, at: number, limit: number): number {
  for (at = skipPlain(bytes, at + 1, limit); at < limit; at = skipPlain(bytes, at, limit)) {
    if (bytes[at] === QUOTE) return at + 1;
    at += bytes[at] === BACKSLASH ? 2 : 1;
  }
  return limit;
}
