import type { Micros } from '../values/timestamp.js';
import type { TimeBuckets } from './time-buckets.js';

/** How a stretch of time is read: whole minutes from their sums, the rest call by call. */
export interface SummedParts {
  /** From and before; null: none. */
  minutes: readonly [Micros, Micros] | null;
  /** Minutes among them that are read call by call after all. */
  without: readonly Micros[];
  /** From and before, in order and apart. */
  live: readonly (readonly [Micros, Micros])[];
}

const MINUTE: Micros = 60_000_000n;

export const allLive = ({ start, end }: TimeBuckets): SummedParts => ({
  minutes: null,
  without: [],
  live: [[start, end]],
});

/**
 * As much as can be from sums: all but the broken minutes at the ends, and those in the middle of which something changes
 * that values depend on, a price.
 */
export function summedParts(buckets: TimeBuckets, changes: readonly Micros[] = []): SummedParts {
  const { start, end, first, granularity } = buckets;
  const [from, until] = [-floor(-start), floor(end)];
  if (granularity % 60 !== 0 || first % MINUTE !== 0n || from >= until) return allLive(buckets);
  const cut = changes.filter((change) => change % MINUTE !== 0n).map(floor);
  const without = [...new Set(cut)].filter((minute) => minute >= from && minute < until);
  const live = [[start, from], ...without.map((minute) => [minute, minute + MINUTE]), [until, end]] as [
    Micros,
    Micros,
  ][];
  return { minutes: [from, until], without, live: live.filter(([since, before]) => since < before) };
}

const floor = (time: Micros): Micros => time - (((time % MINUTE) + MINUTE) % MINUTE);
