const GAMMA = 0x9e3779b97f4a7c15n;
const WORD = 1n << 64n;

/** SplitMix64's output function (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). */
function mix(value: bigint): bigint {
  let z = BigInt.asUintN(64, value);
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) % WORD;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) % WORD;
  return z ^ (z >> 31n);
}

/**
 * Random numbers for one completion. The generator is xoshiro128++ 1.0 (Blackman and Vigna, "Scrambled linear
 * pseudorandom number generators", 2021), its state filled by SplitMix64 as its authors advise. Seed and choice go
 * through the mixer one after the other, so that neighbouring seeds and choices share nothing.
 */
export class RandomStream {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  /** `seed` is any integer; what is beyond 64 bits is dropped. */
  constructor(seed: number, choice: number) {
    const key = mix(mix(BigInt(seed) + GAMMA) + BigInt(choice + 1) * GAMMA);
    const first = mix(key + GAMMA);
    const second = mix(key + 2n * GAMMA);
    this.a = Number(first & 0xffffffffn) | 0;
    this.b = Number(first >> 32n) | 0;
    this.c = Number(second & 0xffffffffn) | 0;
    this.d = Number(second >> 32n) | 0;
    // The only state that the generator can't leave.
    if ((this.a | this.b | this.c | this.d) === 0) this.a = 1;
  }

  /** Uniform in [0, 1), with 53 random bits. */
  next(): number {
    const high = this.word() >>> 5;
    const low = this.word() >>> 6;
    return (high * 0x4000000 + low) / 0x20000000000000;
  }

  private word(): number {
    const sum = (this.a + this.d) | 0;
    const result = (((sum << 7) | (sum >>> 25)) + this.a) | 0;
    const shifted = this.b << 9;
    this.c ^= this.a;
    this.d ^= this.b;
    this.b ^= this.c;
    this.a ^= this.d;
    this.c ^= shifted;
    this.d = (this.d << 11) | (this.d >>> 21);
    return result;
  }
}

/** A seed for those who gave none. */
export function randomSeed(): number {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high! >>> 11) * 0x100000000 + low!;
}
