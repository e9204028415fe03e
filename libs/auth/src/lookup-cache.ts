import { LRUCache } from 'lru-cache';

export interface LookupCacheOptions {
  /** For how long an answer is remembered; 0 remembers nothing. */
  seconds: number;
  maxEntries: number;
  /** In milliseconds. */
  clock?: { now(): number };
}

/** Remembers the answers of look-ups for a while, and asks once for all who want the same answer at the same time. */
export class LookupCache<T> {
  private readonly answers: LRUCache<string, Promise<T>>;
  private readonly remembers: boolean;

  constructor({ seconds, maxEntries, clock = performance }: LookupCacheOptions) {
    // The age counts from the question, not from the answer: what was read is at most `seconds` old.
    this.answers = new LRUCache({ max: maxEntries, ttl: Math.max(seconds, 1) * 1000, ttlResolution: 0, perf: clock });
    this.remembers = seconds > 0;
  }

  get(key: string, lookUp: () => Promise<T>): Promise<T> {
    const known = this.answers.get(key);
    if (known) return known;
    const answer = lookUp();
    this.answers.set(key, answer);
    const drop = (): void => {
      if (this.answers.peek(key) === answer) this.answers.delete(key);
    };
    // A failed look-up is never remembered.
    answer.then(this.remembers ? undefined : drop, drop);
    return answer;
  }

  /** Whoever asks from now on gets an answer that was read from now on. */
  clear(): void {
    this.answers.clear();
  }
}
