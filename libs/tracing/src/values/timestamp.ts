/** Microseconds since 1970, as PostgreSQL and the Python SDK count: exact, and without a time zone. */
export type Micros = bigint;

/** Years 1 to 9999: what both PostgreSQL and the clients' own date types can hold. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;
const SECONDS_OF_400_YEARS = 146_097 * 86_400;

/**
 * Numbers beyond these are milli-, micro- and nanoseconds: as the unit before, each would be the year 2603. The first as
 * in the hosted service.
 */
const MILLISECONDS_FROM = 2e10;
const MICROSECONDS_FROM = 2e13;
const NANOSECONDS_FROM = 2e16;

const DATE_TIME =
  /^\s*(\d{4})-(\d\d)-(\d\d)(?:[Tt_ ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(?:[Zz]|([+-])(\d\d):?(\d\d)?)?)?\s*$/;
const NUMBER = /^\s*-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/;

/**
 * Reads ISO 8601 (no offset means UTC; more digits than microseconds are cut off) or unix time: seconds,
 * or a finer unit by its size.
 * @returns undefined for what is no point in time of the years 1 to 9999
 */
export function parseTimestamp(text: string): Micros | undefined {
  const parts = DATE_TIME.exec(text);
  if (parts) return fromParts(parts);
  return NUMBER.test(text) ? (fromFineUnit(text) ?? fromNumber(Number(text))) : undefined;
}

export const nowMicros = (): Micros => BigInt(Date.now()) * 1000n;

function fromParts(parts: RegExpExecArray): Micros | undefined {
  const part = (group: number): number => Number(parts[group] ?? 0);
  const midnight = midnightOf(part(1), part(2), part(3));
  // 60 is a leap second, which, as in PostgreSQL, is the first of the next minute.
  if (midnight === undefined || part(4) > 23 || part(5) > 59 || part(6) > 60) return undefined;
  if (part(9) > 23 || part(10) > 59) return undefined;
  const offset = (part(9) * 60 + part(10)) * (parts[8] === '-' ? -60 : 60);
  const micros = Number((parts[7] ?? '').slice(0, 6).padEnd(6, '0'));
  return fromSeconds(midnight + part(4) * 3600 + part(5) * 60 + part(6) - offset, micros);
}

/** Unix seconds; undefined for a day that its month doesn't have. */
function midnightOf(year: number, month: number, day: number): number | undefined {
  // Date.UTC takes the years 0 to 99 for 1900 to 1999; the calendar repeats after 400 years.
  const milliseconds = Date.UTC(year + 400, month - 1, day);
  if (month < 1 || month > 12 || new Date(milliseconds).getUTCDate() !== day) return undefined;
  return milliseconds / 1000 - SECONDS_OF_400_YEARS;
}

/** Of micro- and nanoseconds a double would lose digits. */
function fromFineUnit(text: string): Micros | undefined {
  const size = Math.abs(Number(text));
  if (size <= MICROSECONDS_FROM || !/^\s*-?\d{1,25}\s*$/.test(text)) return undefined;
  const exact = size > NANOSECONDS_FROM ? BigInt(text) / 1000n : BigInt(text);
  const seconds = exact / 1_000_000n;
  return seconds >= BigInt(FIRST_SECOND) && seconds <= BigInt(LAST_SECOND) ? exact : undefined;
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
