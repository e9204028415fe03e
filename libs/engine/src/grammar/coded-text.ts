/**
 * The grammar library (0.1.27) takes no class of characters beyond ASCII for what it says, and has no way to write one byte.
 * So its grammars and its vocabulary are ASCII here: a byte from 0x80 on is two characters, `\x01` to `\x08` for its upper
 * half and `g` to `v` for the lower one. The control characters 1 to 8 themselves are in no text that a format allows.
 */
const HIGH = 0x01;
const LOW = 0x67;

/** Null where the bytes can't be in a formatted text. */
export function codedBytes(bytes: Uint8Array): Uint8Array | null {
  const coded: number[] = [];
  for (const byte of bytes) {
    if (byte >= HIGH && byte < HIGH + 8) return null;
    if (byte < 0x80) coded.push(byte);
    else coded.push(HIGH + ((byte >> 4) & 7), LOW + (byte & 15));
  }
  return Uint8Array.from(coded);
}

/** Exactly this text, as a grammar writes it. */
export function literal(text: string): string {
  const coded = codedBytes(new TextEncoder().encode(text));
  if (!coded) throw new RangeError('A control character can not be written in a formatted text.');
  return `"${Array.from(coded, inQuotes).join('')}"`;
}

function inQuotes(code: number): string {
  const char = String.fromCharCode(code);
  if (char === '"' || char === '\\') return `\\${char}`;
  return code >= 0x20 && code < 0x7f ? char : hex(code);
}

/** A class of ASCII characters. */
export function asciiClass(ranges: Iterable<{ min: number; max: number }>): string {
  const shown = (code: number): string =>
    /[a-zA-Z0-9 ]/.test(String.fromCharCode(code)) ? String.fromCharCode(code) : hex(code);
  return `[${Array.from(ranges, ({ min, max }) => (min === max ? shown(min) : `${shown(min)}-${shown(max)}`)).join('')}]`;
}

/** Shorter escapes would go on with whatever digit follows. */
const hex = (code: number): string => `\\U${code.toString(16).padStart(8, '0')}`;

/** Well-formed UTF-8 of the characters from `min` to `max`, all beyond ASCII: alternatives, which may begin alike. */
export function beyondAscii(min: number, max: number): string[] {
  return sequences(min, max).flatMap((bytes) =>
    bytes.reduce<string[]>(
      (starts, [low, high]) => starts.flatMap((start) => byteRange(low, high).map((b) => `${start} ${b}`.trim())),
      [''],
    ),
  );
}

/** Ranges of bytes, one after the other, that are together the UTF-8 of a range of characters. */
function sequences(min: number, max: number): [number, number][][] {
  const split = (at: number): [number, number][][] => [...sequences(min, at), ...sequences(at + 1, max)];
  if (min > max) return [];
  // Surrogates are no characters.
  if (min >= 0xd800 && max <= 0xdfff) return [];
  for (const last of [0x7ff, 0xd7ff, 0xdfff, 0xffff]) if (min <= last && last < max) return split(last);
  const tails = min > 0xffff ? 3 : min > 0x7ff ? 2 : 1;
  for (let place = 1; place <= tails; place++) {
    const mask = (1 << (6 * place)) - 1;
    if ((min & ~mask) === (max & ~mask)) continue;
    if ((min & mask) !== 0) return split(min | mask);
    if ((max & mask) !== mask) return split((max & ~mask) - 1);
  }
  const [low, high] = [min, max].map((code) => [...new TextEncoder().encode(String.fromCodePoint(code))]) as [
    number[],
    number[],
  ];
  return [low.map((byte, i) => [byte, high[i]!])];
}

/** A byte from `low` to `high`, both from 0x80 on. */
function byteRange(low: number, high: number): string[] {
  const pair = (upper: number, upperTo: number, from: number, to: number): string =>
    `${asciiClass([{ min: HIGH + (upper & 7), max: HIGH + (upperTo & 7) }])} ${asciiClass([{ min: LOW + from, max: LOW + to }])}`;
  const [first, last] = [low >> 4, high >> 4];
  if (first === last) return [pair(first, last, low & 15, high & 15)];
  const whole = { from: (low & 15) === 0 ? first : first + 1, to: (high & 15) === 15 ? last : last - 1 };
  return [
    ...(whole.from > first ? [pair(first, first, low & 15, 15)] : []),
    ...(whole.from <= whole.to ? [pair(whole.from, whole.to, 0, 15)] : []),
    ...(whole.to < last ? [pair(last, last, 0, high & 15)] : []),
  ];
}
