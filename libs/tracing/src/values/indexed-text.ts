import { createHash } from 'node:crypto';
import { decodeText, encodeText } from '@heddle/json';

/** A B-tree entry may have about 2,700 bytes; three columns share one in the widest index. */
const MAX_BYTES = 1024;
/** Kept of a longer string, so that searches by prefix still find it. At most 7 bytes each when encoded. */
const PREFIX_UNITS = 256;
/** Never in an encoded text: `encodeText` writes U+FDD0 only before four hexadecimal digits. */
const MARK = '\ufdd0#';

/**
 * The form in which an id, a name or a reference stands in an indexed column, and in which it is looked up there: its
 * encoded text, or, where that is too long for an index, its beginning and its SHA-256. Different strings have different
 * forms. The originals of shortened ones stand beside the row, see {@link originalText}.
 */
export function indexedText(text: string): string {
  const encoded = encodeText(text);
  if (encoded.length <= MAX_BYTES / 3 || Buffer.byteLength(encoded) <= MAX_BYTES) return encoded;
  const prefix = Array.from(text.slice(0, PREFIX_UNITS + 1))
    .slice(0, -1)
    .join('');
  return encodeText(prefix) + MARK + createHash('sha256').update(encoded).digest('hex');
}

export const isShortened = (stored: string): boolean => stored.includes(MARK);

/**
 * What {@link indexedText} was given.
 * @param longTexts the row's `long_texts`: the encoded originals by their shortened forms
 */
export function originalText(stored: string, longTexts: Readonly<Record<string, string>> | null): string {
  return decodeText(longTexts?.[stored] ?? stored);
}
