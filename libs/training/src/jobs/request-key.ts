import { ValidationError } from '@heddle/http';

const PRINTABLE = /^[^\p{Cc}\p{Cs}]{1,255}$/u;
export const KEY_DESCRIPTION =
  'A name of your own for the request: whoever repeats it, since the answer got lost, gets the job that it has made';

/**
 * What the client calls its request: the header `Idempotency-Key`, or else the field `client_job_id`, for clients that set no
 * headers. Null where it has no name.
 * @throws ValidationError
 */
export function readRequestKey(header: string | undefined, field: unknown, fieldLoc: string[]): string | null {
  const [key, loc] = header === undefined ? [field, fieldLoc] : [header, ['header', 'idempotency-key']];
  if (key === undefined || key === null) return null;
  if (typeof key === 'string' && PRINTABLE.test(key)) return key;
  throw ValidationError.at(loc, 'must have 1 to 255 printable characters', 'idempotency_key');
}
