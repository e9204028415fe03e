import type { KeyValueCache } from '../model/key-value-cache.js';

/** What a sequence computed, and might spare the next one that begins alike. */
export interface ComputedPrefix {
  tokens: readonly number[];
  computed: number;
  adapterKey: number;
  cache: KeyValueCache | null;
}

const MAX_KEPT = 64;

/** Caches of finished sequences, the latest used last; given up one by one where memory is needed. */
export class PrefixStore {
  private kept: (ComputedPrefix & { cache: KeyValueCache })[] = [];

  keep(prefix: ComputedPrefix & { cache: KeyValueCache }): void {
    this.kept.push(prefix);
    if (this.kept.length > MAX_KEPT) this.dropOldest();
  }

  /** Frees the cache that was not used for longest; false where there is none. */
  dropOldest(): boolean {
    const oldest = this.kept.shift();
    oldest?.cache.release();
    return oldest !== undefined;
  }

  /** The longest beginning of `tokens` that is computed, here or among `others`. */
  longest(
    tokens: readonly number[],
    adapterKey: number,
    others: Iterable<ComputedPrefix>,
  ): { cache: KeyValueCache; length: number } | null {
    let best: { prefix: ComputedPrefix; length: number } | null = null;
    for (const prefix of [...others, ...this.kept]) {
      if (prefix.adapterKey !== adapterKey || !prefix.cache) continue;
      // The last token is always computed: its logits are what is wanted.
      const length = Math.min(commonLength(tokens, prefix.tokens), prefix.computed, tokens.length - 1);
      if (length > (best?.length ?? 0)) best = { prefix, length };
    }
    if (!best) return null;
    const at = this.kept.findIndex((prefix) => prefix === best.prefix);
    if (at >= 0) this.kept.push(...this.kept.splice(at, 1));
    return { cache: best.prefix.cache!, length: best.length };
  }

  clear(): void {
    while (this.dropOldest());
  }
}

export function commonLength(a: readonly number[], b: readonly number[]): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
}
