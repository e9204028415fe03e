/** Microseconds since 1970, as PostgreSQL and the Python SDK count: exact, and without a time zone. */
export type Micros = bigint;

/** Years 1 to 9999: what both PostgreSQL and the clients' own date types can hold. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

/** Numbers beyond this are milliseconds, as in the hosted service (as seconds it would be the year 2603). */
const MILLISECONDS_FROM = 2e10;

const DATE_TIME =
  /^\s*(\d{4})-(\d\d)-(\d\d)(?:[Tt_ ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(?:[Zz]|([+-])(\d\d):?(\d\d)?)?)?\s*$/;
const NUMBER = /^\s*-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/;

/**
 * Reads ISO 8601 (no offset means UTC; more digits than microseconds are cut off) or unix seconds.
 * @returns undefined for what is no point in time of the years 1 to 9999
 */
export function parseTimestamp(text: string): Micros | undefined {
  const parts = DATE_TIME.exec(text);
  if (parts) return fromParts(parts);
  return NUMBER.test(text) ? fromNumber(Number(text)) : undefined;
}

export const nowMicros = (): Micros => BigInt(Date.now()) * 1000n;

function fromParts(parts: RegExpExecArray): Micros | undefined {
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as SixNumbers;
  const date = new Date(0);
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  // 60 is a leap second, which, as in PostgreSQL, is the first of the next minute.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const [offsetHours, offsetMinutes] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * (parts[8] === '-' ? -60 : 60);
  const micros = Number((parts[7] ?? '').slice(0, 6).padEnd(6, '0'));
  return fromSeconds(date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offset, micros);
}

function fromNumber(value: number): Micros | undefined {
  const seconds = Math.abs(value) > MILLISECONDS_FROM ? value / 1000 : value;
  const whole = Math.floor(seconds);
  // A double holds today's unix seconds to a quarter of a microsecond, so that rounding finds the digits that were sent.
  return fromSeconds(whole, Math.round((seconds - whole) * 1e6));
}

function fromSeconds(seconds: number, micros: number): Micros | undefined {
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) return undefined;
  return BigInt(seconds) * 1_000_000n + BigInt(micros);
}

type SixNumbers = [number, number, number, number, number, number];
