/**
 * What a `Retry-After` header asks for, in whole seconds from `now`: a number of them, or an HTTP date.
 * @returns null where it says nothing that can be read
 */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text);
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null;
  const seconds = Math.ceil((Date.parse(text) - now.getTime()) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
