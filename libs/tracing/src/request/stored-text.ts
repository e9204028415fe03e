import { ValidationError } from '@heddle/http';
import { encodeText } from '@heddle/json';

/** A B-tree entry may have about 2,700 bytes, and a key has up to three texts. */
const MAX_BYTES = 1024;

/**
 * The form in which a name goes into an indexed text column, and in which it is looked up there.
 * @throws ValidationError for a name that is too long for an index
 */
export function storedName(name: string, loc: (string | number)[]): string {
  const stored = encodeText(name);
  if (Buffer.byteLength(stored) <= MAX_BYTES) return stored;
  throw ValidationError.at(loc, `must have at most ${MAX_BYTES} bytes`, 'string_too_long');
}
