import { ValidationError } from '@heddle/http';
import { type Micros, nowMicros, parseTimestamp } from '../values/timestamp.js';

const MAX_BUCKETS = 10_000;
const HOUR = 3600;
const DAY = 24 * HOUR;
const SECOND: Micros = 1_000_000n;

/** Seconds of a bucket for times up to so many seconds; a day beyond. As the hosted service chooses. */
const GRANULARITIES: readonly [upTo: number, granularity: number][] = [
  [2 * HOUR, 300],
  [12 * HOUR, HOUR],
  [3 * DAY, 6 * HOUR],
  [14 * DAY, 12 * HOUR],
];

/** A stretch of time in buckets of equal length, of which the first and the last may reach beyond it. */
export interface TimeBuckets {
  start: Micros;
  end: Micros;
  /** Where the first bucket starts. */
  first: Micros;
  granularity: number;
  count: number;
  timezone: string;
}

export interface WantedBuckets {
  start: string;
  end?: string;
  granularity?: number;
  timezone?: string;
}

/** @throws ValidationError for what is no time or no time zone, and an end that isn't after the start */
export function timeBuckets({ timezone = 'UTC', ...wanted }: WantedBuckets): TimeBuckets {
  const start = timeOf(wanted.start, 'start');
  const end = wanted.end === undefined ? nowMicros() : timeOf(wanted.end, 'end');
  if (end <= start) throw ValidationError.at(['body', 'end'], 'must be after the start', 'end_before_start');
  const seconds = Number(end - start) / 1e6;
  const asked = wanted.granularity ?? GRANULARITIES.find(([upTo]) => seconds <= upTo)?.[1] ?? DAY;
  const granularity = Math.max(asked, Math.ceil(seconds / (MAX_BUCKETS - 1)));
  const step = BigInt(granularity) * SECOND;
  const midnight = midnightBefore(start, timezone);
  const first = midnight + ((start - midnight) / step) * step;
  return { start, end, first, granularity, timezone, count: Number((end - first + step - 1n) / step) };
}

/** ISO 8601 with microseconds, as all times on the wire. */
export const isoMicros = (micros: Micros): string => {
  const fraction = ((micros % SECOND) + SECOND) % SECOND;
  const seconds = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(fraction).padStart(6, '0')}Z`;
};

function timeOf(text: string, field: string): Micros {
  const micros = parseTimestamp(text);
  if (micros === undefined) throw ValidationError.at(['body', field], 'must be an ISO 8601 time', 'datetime');
  return micros;
}

/** The time zone's last midnight, as its clocks stand at that time. */
function midnightBefore(time: Micros, timezone: string): Micros {
  const at = new Date(Number(time / 1000n));
  const fields = clockOf(timezone)
    .formatToParts(at)
    .map(({ type, value }): [string, number] => [type, Number(value)]);
  const { hour = 0, minute = 0, second = 0 } = Object.fromEntries(fields) as Record<string, number | undefined>;
  const sinceMidnight = BigInt(hour * HOUR + minute * 60 + second);
  const wholeSecond = time - (((time % SECOND) + SECOND) % SECOND);
  return wholeSecond - sinceMidnight * SECOND;
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  try {
    const fields = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
    return new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...fields });
  } catch {
    throw ValidationError.at(['body', 'timezone'], 'must be the IANA name of a time zone', 'timezone', timeZone);
  }
}
