import type { Tokenizer } from './tokenizer.js';

/**
 * Tokens to text as they are sampled. A character whose bytes are in several tokens comes with the last of them; bytes
 * that are no character become U+FFFD once that is certain. The text goes on from a prompt, so that its leading space,
 * where it has one, stays.
 */
export class Detokenizer {
  private readonly kept: ReadonlySet<number | undefined>;
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor(
    private readonly tokenizer: Tokenizer,
    /** `keep`: special tokens that are text all the same. */
    private readonly options: { skipSpecial: boolean; keep?: readonly string[] } = { skipSpecial: true },
  ) {
    this.kept = new Set(options.keep?.map((token) => tokenizer.idOf(token)));
  }

  /** What the text grows by. */
  push(id: number): string {
    if (this.options.skipSpecial && this.tokenizer.isSpecial(id) && !this.kept.has(id)) return '';
    return this.decoder.decode(this.tokenizer.tokenBytes(id), { stream: true });
  }

  /** What is left at the end: U+FFFD for a character that was never completed. The next push begins a new text. */
  flush(): string {
    return this.decoder.decode();
  }
}
