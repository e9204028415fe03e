const encoder = new TextEncoder();

/**
 * The characters that stand for the 256 bytes in byte-level vocabularies, by byte: printable Latin-1 characters stand
 * for themselves, the others are, in order, the characters from U+0100 on (the mapping of GPT-2).
 */
export const BYTE_CHARACTERS: readonly string[] = buildAlphabet();

const BYTE_OF_CHARACTER = new Map(BYTE_CHARACTERS.map((character, byte) => [character, byte]));

function buildAlphabet(): string[] {
  let replaced = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    const printable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    return String.fromCharCode(printable ? byte : 0x100 + replaced++);
  });
}

/** A token of a byte-level vocabulary as bytes. One that has other characters (an added token) is its own UTF-8. */
export function bytesOfByteLevelToken(token: string): Uint8Array {
  const bytes = new Uint8Array(token.length);
  for (let i = 0; i < token.length; i++) {
    const byte = BYTE_OF_CHARACTER.get(token.charAt(i));
    if (byte === undefined) return encoder.encode(token);
    bytes[i] = byte;
  }
  return bytes;
}

/** The token that stands for a byte in vocabularies with byte fallback, such as `<0x0A>`. */
export function fallbackToken(byte: number): string {
  return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
}

/** The byte that a fallback token stands for; `undefined` for any other token. */
export function byteOfFallbackToken(token: string): number | undefined {
  return /^<0x[0-9A-Fa-f]{2}>$/.test(token) ? Number.parseInt(token.slice(3, 5), 16) : undefined;
}
