/*
 * The number grammar of RFC 8259 as a table, so that a number may be cut at any byte.
 * Each row is a state: what may follow there, and the state that it leads to.
 */
const FAIL = 0;
const MINUS = 1;
const ZERO = 2;
const INTEGER = 3;
const POINT = 4;
const FRACTION = 5;
const E = 6;
const SIGN = 7;
const EXPONENT = 8;

const GRAMMAR: [state: number, bytes: string, next: number][] = [
  [FAIL, '-', MINUS],
  [FAIL, '0', ZERO],
  [FAIL, '123456789', INTEGER],
  [MINUS, '0', ZERO],
  [MINUS, '123456789', INTEGER],
  [ZERO, '.', POINT],
  [ZERO, 'eE', E],
  [INTEGER, '0123456789', INTEGER],
  [INTEGER, '.', POINT],
  [INTEGER, 'eE', E],
  [POINT, '0123456789', FRACTION],
  [FRACTION, '0123456789', FRACTION],
  [FRACTION, 'eE', E],
  [E, '+-', SIGN],
  [E, '0123456789', EXPONENT],
  [SIGN, '0123456789', EXPONENT],
  [EXPONENT, '0123456789', EXPONENT],
];

const NEXT = new Uint8Array(9 * 256);
for (const [state, bytes, next] of GRAMMAR) {
  for (const byte of bytes) NEXT[state * 256 + byte.charCodeAt(0)] = next;
}

export const NUMBER_START = FAIL;

/** The state after `byte`, or 0 if it can't continue the number (from NUMBER_START: can't begin one). */
export const nextNumberState = (state: number, byte: number): number => NEXT[state * 256 + byte]!;

export const isWholeNumber = (state: number): boolean =>
  state === ZERO || state === INTEGER || state === FRACTION || state === EXPONENT;
