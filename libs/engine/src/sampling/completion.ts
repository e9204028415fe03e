import type { FinishReason, GenerateEvent, SampledToken } from '../protocol/generate.js';
import type { ResolvedOptions } from './sampling-options.js';
import { StopMatcher } from './stop-matcher.js';

/** Turns tokens into text: whole characters, as soon as they are whole; special tokens have none. */
export interface TextStream {
  push(id: number): string;
  /** What is left of a character that never became whole. */
  flush(): string;
}

export type TokensEvent = Extract<GenerateEvent, { type: 'tokens' }>;

/** Why a completion ended; whoever reads tool calls out of its text turns `stop` into `tool_calls`. */
export interface StopCause {
  reason: Exclude<FinishReason, 'tool_calls'>;
  /** The stop string or token id, where it was not the end token. */
  stop: string | number | null;
}

/**
 * One completion, seen from where it is read. A thread samples a few tokens ahead of this, so what comes after the token
 * that ended the completion is dropped: the tokens reported are exactly those up to that one.
 */
export class Completion {
  private readonly matcher: StopMatcher;
  private count = 0;
  private shown = '';
  private ended: StopCause | null = null;

  constructor(
    private readonly choice: number,
    private readonly options: ResolvedOptions,
    private readonly endTokenIds: readonly number[],
    private readonly detokenizer: TextStream,
  ) {
    this.matcher = new StopMatcher(options.stop, options.includeStop);
  }

  /** All text so far. */
  get text(): string {
    return this.shown;
  }

  /** Tokens so far. */
  get length(): number {
    return this.count;
  }

  /** Set once nothing more comes: the thread may be told to stop. */
  get ending(): StopCause | null {
    return this.ended;
  }

  /** Takes what was sampled; null where it was all sampled after the end. */
  push(sampled: readonly SampledToken[]): TokensEvent | null {
    const tokens: SampledToken[] = [];
    let text = '';
    for (const token of sampled) {
      if (this.ended) break;
      tokens.push(token);
      text += this.take(token.id);
    }
    if (tokens.length === 0) return null;
    this.shown += text;
    return { type: 'tokens', choice: this.choice, tokens, text };
  }

  private take(id: number): string {
    this.count++;
    if (this.endTokenIds.includes(id) && !this.options.ignoreEos) return this.end({ reason: 'stop', stop: null });
    if (this.options.stopTokenIds.includes(id)) {
      const last = this.options.includeStop ? this.show(this.detokenizer.push(id)) : '';
      return last + this.end({ reason: 'stop', stop: id });
    }
    const text = this.show(this.detokenizer.push(id));
    if (this.ended || this.count < this.options.maxTokens) return text;
    return text + this.end({ reason: 'length', stop: null });
  }

  /** Text of the first `minTokens` tokens is not searched for stop strings. */
  private show(text: string): string {
    if (this.count <= this.options.minTokens) return text;
    const { emit, stopped } = this.matcher.push(text);
    if (stopped !== null) this.ended = { reason: 'stop', stop: stopped };
    return emit;
  }

  private end(ending: StopCause): string {
    if (this.ended) return '';
    const rest = this.show(this.detokenizer.flush());
    this.ended ??= ending;
    return rest + this.matcher.flush();
  }
}
