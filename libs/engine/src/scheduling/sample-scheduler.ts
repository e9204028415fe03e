import type { Compute } from '../model/compute.js';
import { DecodePass } from '../model/decode-pass.js';
import { KeyValueCache } from '../model/key-value-cache.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { OutputState } from '../grammar/output-grammar.js';
import { Arena } from '../tensor/arena.js';
import { FreeList } from '../tensor/free-list.js';
import type { Address } from '../tensor/kernels.js';
import type { Region, SampleOutcome, SampleSpec } from '../threads/sample-task.js';
import { type BatchItem, decodeItem } from './batch-item.js';
import { LiveSequence } from './live-sequence.js';
import { commonLength, PrefixStore } from './prefix-store.js';
import { BoardClosedError, PIECE } from './prompt-board.js';
import type { PromptOffer } from './divided-prompt.js';

/** Tokens computed in one step, over all sequences: bounds how long a step takes and how much memory. */
export const STEP_ROWS = 256;
/** Sequences computed side by side. */
export const STEP_SEQUENCES = 64;
/** So many tokens of a shared beginning are worth waiting a step for. */
const WORTH_WAITING = 16;

/** Other threads that may compute pieces of a long prompt. */
export interface Helpers {
  /** All threads, this one too. */
  threads: number;
  /** Called for each piece as long as there are others. */
  ask: (offer: PromptOffer) => void;
}

/**
 * Continuous batching: sequences join and leave between any two steps, prompts are computed in pieces beside them, a
 * beginning that another sequence computed is copied, and sequences that are the same so far are computed as one. Where
 * memory runs out, the youngest sequence starts again later; no result depends on any of this.
 */
export class SampleScheduler {
  private readonly pass: DecodePass;
  private readonly list: FreeList;
  private readonly prefixes = new PrefixStore();
  private waiting: LiveSequence[] = [];
  private live: LiveSequence[] = [];
  private outcomes: SampleOutcome[] = [];

  constructor(
    private readonly compute: Compute,
    arena: Region,
    caches: Region,
    private readonly endTokenIds: readonly number[],
    private readonly helpers: Helpers | null = null,
  ) {
    this.pass = new DecodePass(compute, new Arena(arena.address, arena.bytes));
    this.list = FreeList.over(caches.address, caches.bytes);
  }

  get idle(): boolean {
    return this.waiting.length === 0 && this.live.length === 0;
  }

  add(spec: SampleSpec, output: OutputState | null): void {
    this.waiting.push(new LiveSequence(spec, this.endTokenIds, output));
  }

  /** Ends a sequence; there is a `done` for it in the next step's outcomes. */
  stop(id: number): void {
    for (const sequence of [...this.live, ...this.waiting]) {
      if (sequence.spec.id === id) this.finish(sequence, { type: 'done', id });
    }
  }

  /** Computes one batch and samples from it. */
  step(): SampleOutcome[] {
    this.admit();
    const batch = this.batch();
    if (batch.length > 0) this.run(batch);
    return this.outcomes.splice(0);
  }

  private admit(): void {
    while (this.live.length < STEP_SEQUENCES && this.waiting.length > 0) {
      const sequence = this.waiting[0]!;
      const known = this.prefixes.longest(sequence.tokens, sequence.adapterKey, this.live);
      if (this.soonComputed(sequence) > (known?.length ?? 0) + WORTH_WAITING) return;
      const cache = this.createCache(firstRoom(sequence));
      if (!cache && this.live.length > 0) return;
      this.waiting.shift();
      if (!cache) {
        this.fail(sequence, new EngineError('out_of_memory', 'The prompt is longer than the engine has memory for.'));
        continue;
      }
      // Making room may have given up the very cache that was to be copied.
      const source = this.prefixes.longest(sequence.tokens, sequence.adapterKey, this.live);
      if (source) cache.copyFrom(source.cache, source.length);
      sequence.cache = cache;
      sequence.computed = source?.length ?? 0;
      this.live.push(sequence);
    }
  }

  /** How much of its beginning another sequence is about to compute. */
  private soonComputed(sequence: LiveSequence): number {
    const lengths = this.live
      .filter((other) => other.inPrompt && other.adapterKey === sequence.adapterKey)
      .map((other) => commonLength(other.spec.prompt, sequence.tokens));
    return Math.min(Math.max(0, ...lengths), sequence.tokens.length - 1);
  }

  /** Which sequences compute how many tokens now: those that sample first, then prompts as far as there is room. */
  private batch(): BatchItem[] {
    const missing = (sequence: LiveSequence) => sequence.tokens.length - sequence.computed;
    const items: BatchItem[] = [];
    const sampling = new Map<number, BatchItem>();
    let room = STEP_ROWS;
    for (const sequence of [...this.live].sort((a, b) => missing(a) - missing(b))) {
      if (!sequence.cache) continue;
      const shared = sequence.share(this.helpers?.threads ?? 1);
      if (shared) {
        if (room < PIECE) continue;
        if (shared.offer) this.helpers?.ask(shared.offer);
        const piece = shared.take();
        items.push({ sequences: [sequence], ...piece });
        room -= piece.count;
        continue;
      }
      const alike = sampling.get(sequence.hash);
      if (alike?.sequences[0]!.isLike(sequence)) {
        if (this.makeRoom(sequence, sequence.tokens.length)) alike.sequences.push(sequence);
        continue;
      }
      const count = Math.min(room, missing(sequence));
      if (count === 0 || !this.makeRoom(sequence, sequence.computed + count)) continue;
      const item = { sequences: [sequence], position: sequence.computed, count };
      items.push(item);
      if (count === missing(sequence)) sampling.set(sequence.hash, item);
      room -= count;
    }
    // Making room for a later sequence may have taken an earlier one's.
    return items
      .map((item) => ({ ...item, sequences: item.sequences.filter(({ cache }) => cache !== null) }))
      .filter(({ sequences }) => sequences.length > 0)
      .sort((a, b) => a.sequences[0]!.adapterKey - b.sequences[0]!.adapterKey);
  }

  private run(batch: BatchItem[]): void {
    const logits = this.logitsOf(batch);
    if (logits === null) return;
    const { vocabularySize, layers } = this.compute.model.config;
    batch.forEach(({ sequences, count }, index) => {
      for (const sequence of sequences) sequence.advance(count, layers);
      const { computed, tokens } = sequences[0]!;
      if (computed === tokens.length) this.sample(sequences, logits + index * vocabularySize * 4);
    });
  }

  /** The logits after each item; null where help that a sequence waited for did not come: it begins again without. */
  private logitsOf(batch: BatchItem[]): Address | null {
    try {
      return this.pass.run(batch.map(decodeItem));
    } catch (error) {
      if (!(error instanceof BoardClosedError)) throw error;
      for (const sequence of batch.flatMap(({ sequences }) => sequences)) {
        if (!sequence.shared) continue;
        sequence.mayShare = false;
        this.postpone(sequence);
      }
      return null;
    }
  }

  private sample(sequences: LiveSequence[], address: Address): void {
    const { kernels, model } = this.compute;
    const { vocabularySize } = model.config;
    const lse = kernels.logSumExp(address, vocabularySize);
    const logits = this.compute.floats(address, vocabularySize);
    for (const sequence of sequences) this.sampleOne(sequence, logits, lse);
  }

  private sampleOne(sequence: LiveSequence, logits: Float32Array, lse: number): void {
    const { id } = sequence.spec;
    try {
      for (const token of sequence.pick(logits, lse)) this.outcomes.push({ type: 'token', id, token });
      if (sequence.finished) this.finish(sequence, { type: 'done', id });
    } catch (error) {
      this.fail(sequence, error);
    }
  }

  private fail(sequence: LiveSequence, error: unknown): void {
    const known = error instanceof EngineError;
    this.finish(sequence, {
      type: 'failed',
      id: sequence.spec.id,
      code: known ? error.code : 'thread_died',
      message: error instanceof Error ? error.message : String(error),
      param: known ? error.param : null,
    });
  }

  private finish(sequence: LiveSequence, outcome: SampleOutcome): void {
    sequence.endSharing();
    const { cache, tokens, computed, adapterKey } = sequence;
    if (cache && outcome.type === 'done') {
      this.prefixes.keep({ cache, tokens, computed, adapterKey });
      sequence.cache = null;
    }
    sequence.dispose();
    this.live = this.live.filter((other) => other !== sequence);
    this.waiting = this.waiting.filter((other) => other !== sequence);
    this.outcomes.push(outcome);
  }

  private createCache(positions: number): KeyValueCache | null {
    do {
      const cache = KeyValueCache.create(this.compute, this.list, positions);
      if (cache) return cache;
    } while (this.prefixes.dropOldest());
    return null;
  }

  /** Lets a sequence's cache grow, at the cost of kept prefixes and then of younger sequences. */
  private makeRoom(sequence: LiveSequence, positions: number): boolean {
    while (!sequence.cache!.grow(positions, sequence.computed)) {
      if (this.prefixes.dropOldest()) continue;
      const youngest = this.live.at(-1)!;
      if (youngest === sequence) {
        if (this.live.length > 1) this.postpone(sequence);
        else this.fail(sequence, new EngineError('out_of_memory', 'The completion outgrew the memory of the engine.'));
        return false;
      }
      this.postpone(youngest);
    }
    return true;
  }

  private postpone(sequence: LiveSequence): void {
    sequence.evict();
    this.live = this.live.filter((other) => other !== sequence);
    this.waiting.unshift(sequence);
  }
}

/** Positions that a cache begins with: all that it may need where that is no more than it would have once it grew. */
function firstRoom({ tokens, spec }: LiveSequence): number {
  const last = spec.prompt.length + spec.options.maxTokens;
  return last <= 2 * tokens.length ? Math.max(last, tokens.length + 1) : tokens.length + 1;
}
