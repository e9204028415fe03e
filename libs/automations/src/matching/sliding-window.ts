/** What is known of some values in a row. */
export interface Summary {
  count: number;
  newest: number;
  min: number;
  max: number;
  sum: number;
  /** Sum of the squared distances from the mean. */
  squares: number;
}

const EMPTY: Summary = { count: 0, newest: NaN, min: Infinity, max: -Infinity, sum: 0, squares: 0 };

/**
 * The last `size` values of a series, summarised at every step in constant time on average. Two stacks make the queue, so
 * that values leave by being forgotten: sums from which values are subtracted would add up rounding errors, and one huge
 * value would blur all after it.
 */
export class SlidingWindow {
  /** The older values, the oldest on top, each with the summary of itself and those below. */
  private older: { value: number; summary: Summary }[] = [];
  private newer: number[] = [];
  private ofNewer = EMPTY;

  constructor(private readonly size: number) {}

  get isFull(): boolean {
    return this.older.length + this.newer.length === this.size;
  }

  get summary(): Summary {
    return join(this.older.at(-1)?.summary ?? EMPTY, this.ofNewer);
  }

  /** @returns the value that it pushes out; undefined while the window fills */
  push(value: number): number | undefined {
    if (this.size === 0) return value;
    const left = this.isFull ? this.shift() : undefined;
    this.newer.push(value);
    this.ofNewer = join(this.ofNewer, summaryOf(value));
    return left;
  }

  private shift(): number {
    if (this.older.length === 0) {
      let summary = EMPTY;
      for (const value of this.newer.toReversed()) {
        summary = join(summaryOf(value), summary);
        this.older.push({ value, summary });
      }
      this.newer = [];
      this.ofNewer = EMPTY;
    }
    return this.older.pop()!.value;
  }
}

const summaryOf = (value: number): Summary => ({
  count: 1,
  newest: value,
  min: value,
  max: value,
  sum: value,
  squares: 0,
});

/** Squares as Chan, Golub and LeVeque join them, which is stable for values far from 0. */
function join(older: Summary, newer: Summary): Summary {
  if (older.count === 0) return newer;
  if (newer.count === 0) return older;
  const count = older.count + newer.count;
  const distance = newer.sum / newer.count - older.sum / older.count;
  return {
    count,
    newest: newer.newest,
    min: Math.min(older.min, newer.min),
    max: Math.max(older.max, newer.max),
    sum: older.sum + newer.sum,
    squares: older.squares + newer.squares + (distance * distance * older.count * newer.count) / count,
  };
}
