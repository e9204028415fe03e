import type { KeyValueCache } from '../model/key-value-cache.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { PromptToken, SampledToken } from '../protocol/generate.js';
import type { OutputState } from '../grammar/output-grammar.js';
import { RandomStream } from '../sampling/random-stream.js';
import { TokenPicker } from '../sampling/token-picker.js';
import { promptToken } from '../sampling/token-scores.js';
import type { SampleSpec } from '../threads/sample-task.js';
import { commonLength } from './prefix-store.js';
import { LEAST_SHARED, DividedPrompt, sharedTokens } from './divided-prompt.js';

/** Answers sampled until one is valid. */
export const MAX_SAMPLES = 16;

class InvalidAnswerError extends EngineError {
  constructor(format: string | undefined, complaint: string) {
    const what = format === 'tool_call' || format === 'tool_calls' ? 'tools' : 'response_format';
    super(
      'invalid_answer',
      `None of ${MAX_SAMPLES} sampled answers is valid against the schema; of the last one, ${complaint}.`,
      what,
    );
  }
}

/** A completion under way. */
export class LiveSequence {
  /** Prompt and what was sampled. */
  readonly tokens: number[];
  /** How many of `tokens` the cache holds. */
  computed = 0;
  cache: KeyValueCache | null = null;
  /** While other threads may compute pieces of its tokens. */
  shared: DividedPrompt | null = null;
  /** Whether they may at all: not again when one of them died of it. */
  mayShare: boolean;
  /** Of `tokens`: equal where they are. */
  hash = 0;
  private readonly random: RandomStream;
  private picker: TokenPicker;
  private held: SampledToken[] = [];
  private samples = 1;
  private readonly scores: PromptToken[] = [];

  constructor(
    readonly spec: SampleSpec,
    private readonly endTokenIds: readonly number[],
    private readonly output: OutputState | null,
  ) {
    this.mayShare = !spec.scoresPrompt;
    this.tokens = [...spec.prompt];
    for (const token of this.tokens) this.addToHash(token);
    this.random = new RandomStream(spec.seed, spec.choice);
    this.picker = new TokenPicker(spec.options, endTokenIds, spec.prompt, this.random);
  }

  get adapterKey(): number {
    return this.spec.adapter?.key ?? 0;
  }

  /** Whether not all of the prompt is computed yet. */
  get inPrompt(): boolean {
    return this.computed < this.spec.prompt.length;
  }

  /** Whether it ends with its prompt, of which every token is looked at. */
  get isScored(): boolean {
    return this.spec.scoresPrompt ?? false;
  }

  /** Of the tokens after the first, as far as they are computed. */
  get scored(): readonly PromptToken[] {
    return this.scores;
  }

  /** @param logits after the token at this position of the prompt */
  score(position: number, logits: Float32Array, lse: number): void {
    const { prompt, options } = this.spec;
    const next = prompt[position + 1];
    if (next !== undefined) this.scores[position] = promptToken(logits, lse, next, options.promptLogprobs ?? 0);
  }

  /** Positions that a cache begins with: all that it may need where that is no more than it would have once it grew. */
  get firstRoom(): number {
    const { tokens, spec } = this;
    const last = spec.prompt.length + spec.options.maxTokens;
    return last <= 2 * tokens.length ? Math.max(last, tokens.length + 1) : tokens.length + 1;
  }

  /** Samples a token. @returns those that may be shown now: of an answer that must be checked all at its end. */
  pick(logits: Float32Array, lse: number): SampledToken[] {
    const token = this.picker.pick(logits, lse, this.output?.mask() ?? null);
    this.output?.accept(token.id);
    this.tokens.push(token.id);
    this.addToHash(token.id);
    if (!this.output?.isChecked) return [token];
    this.held.push(token);
    if (!this.finished) return [];
    // An answer that was cut off is not whole, and nobody takes it for valid.
    const complaint = this.output.finished ? this.output.complaint() : null;
    if (complaint === null) return this.held;
    this.sampleAgain(complaint);
    return [];
  }

  private sampleAgain(complaint: string): void {
    const { options, prompt } = this.spec;
    if (this.samples === MAX_SAMPLES) throw new InvalidAnswerError(options.format?.type, complaint);
    this.samples++;
    this.held = [];
    this.tokens.length = prompt.length;
    this.hash = 0;
    for (const token of this.tokens) this.addToHash(token);
    this.computed = Math.min(this.computed, prompt.length - 1);
    this.output!.restart();
    // The most probable answer would be the same one.
    const temperature = options.temperature || 1;
    this.picker = new TokenPicker({ ...options, temperature }, this.endTokenIds, prompt, this.random);
  }

  /** Whether the same is to be computed for both: the tokens, what of them is computed, and by which adapter. */
  isLike(other: LiveSequence): boolean {
    if (this.hash !== other.hash || this.computed !== other.computed || this.adapterKey !== other.adapterKey)
      return false;
    return this.tokens.length === other.tokens.length && commonLength(this.tokens, other.tokens) === this.tokens.length;
  }

  get finished(): boolean {
    const { options, prompt } = this.spec;
    const count = this.tokens.length - prompt.length;
    if (count === 0) return false;
    const last = this.tokens.at(-1)!;
    if (this.endTokenIds.includes(last) && !options.ignoreEos) return true;
    return options.stopTokenIds.includes(last) || count >= options.maxTokens;
  }

  /** Lets `threads` compute what is missing, where that is much. */
  share(threads: number): DividedPrompt | null {
    const { tokens, computed: start, cache, mayShare } = this;
    if (this.shared || !mayShare || threads < 2 || tokens.length - start < LEAST_SHARED) return this.shared;
    const adapter = this.spec.adapter?.view ?? null;
    return (this.shared = new DividedPrompt(
      { cache: cache!.place, adapter, start, tokens: sharedTokens(tokens.slice(start)) },
      threads,
    ));
  }

  /** `count` more tokens are computed, or a piece of those that are shared. */
  advance(count: number, layers: number): void {
    this.computed = this.shared ? this.shared.computed(layers) : this.computed + count;
    if (this.computed === this.tokens.length) this.endSharing();
  }

  /** No other thread computes for it any more when this returns. */
  endSharing(): void {
    this.shared?.close();
    this.shared = null;
  }

  /** Gives up its memory; it can be computed again. */
  evict(): void {
    this.endSharing();
    this.cache?.release();
    this.cache = null;
    this.computed = 0;
  }

  dispose(): void {
    this.evict();
    this.output?.dispose();
  }

  private addToHash(token: number): void {
    this.hash = (Math.imul(this.hash, 31) + token) | 0;
  }
}
