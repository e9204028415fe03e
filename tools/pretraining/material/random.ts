/** A stream of random numbers that is the same for the same seed on every machine (sfc32, Chris Doty-Humphrey's small fast counter). */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  /** Different pairs of seed and stream give unrelated numbers. Both are whole numbers. */
  constructor(seed: number, stream = 0) {
    this.a = seed | 0;
    this.b = stream | 0;
    this.c = 0x9e3779b9 | 0;
    for (let round = 0; round < 15; round++) this.next();
  }

  /** Uniform in [0, 1). */
  next(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  }

  /** Whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('There is nothing to pick from.');
    return items[Math.floor(this.next() * items.length)] as T;
  }

  /** `count` of the items, no place twice, in random order. */
  sample<T>(items: readonly T[], count: number): T[] {
    if (count > items.length) throw new RangeError(`There are only ${items.length} items, not ${count}.`);
    // Rejection beats copying a long list for a few of its items.
    if (count * 4 < items.length) {
      const places = new Set<number>();
      while (places.size < count) places.add(Math.floor(this.next() * items.length));
      return [...places].map((place) => items[place] as T);
    }
    return this.shuffle(items).slice(0, count);
  }

  shuffle<T>(items: readonly T[]): T[] {
    const result = items.slice();
    for (let i = result.length - 1; i > 0; i--) {
      const j = Math.floor(this.next() * (i + 1));
      [result[i], result[j]] = [result[j] as T, result[i] as T];
    }
    return result;
  }

  /** Place of one weight, with a probability in proportion to it. */
  weighted(weights: readonly number[]): number {
    let rest = this.next() * weights.reduce((sum, weight) => sum + weight, 0);
    for (let place = 0; place < weights.length; place++) {
      rest -= weights[place] as number;
      if (rest < 0) return place;
    }
    return weights.length - 1;
  }
}
