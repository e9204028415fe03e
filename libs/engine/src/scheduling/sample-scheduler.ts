import type { Compute } from '../model/compute.js';
import { DecodePass } from '../model/decode-pass.js';
import { KeyValueCache } from '../model/key-value-cache.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { OutputState } from '../grammar/output-grammar.js';
import { Arena } from '../tensor/arena.js';
import { FreeList } from '../tensor/free-list.js';
import type { Address } from '../tensor/kernels.js';
import { failedOutcome, type Region, type SampleOutcome, type SampleSpec } from '../threads/sample-task.js';
import { type BatchItem, decodeItems } from './batch-item.js';
import { LiveSequence } from './live-sequence.js';
import { commonLength, PrefixStore } from './prefix-store.js';
import { BoardClosedError, PIECE } from './prompt-board.js';
import { type ScoredRows, scoreRows } from './scored-rows.js';
import type { Helpers } from './divided-prompt.js';

/** Tokens computed in one step, over all sequences: bounds how long a step takes and how much memory. */
export const STEP_ROWS = 256;
/** Sequences computed side by side. */
export const STEP_SEQUENCES = 64;
/** So many tokens of a shared beginning are worth waiting a step for. */
const WORTH_WAITING = 16;

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
      const known = this.knownOf(sequence);
      if (this.soonComputed(sequence) > (known?.length ?? 0) + WORTH_WAITING) return;
      const cache = this.createCache(sequence.firstRoom);
      if (!cache && this.live.length > 0) return;
      this.waiting.shift();
      if (!cache) {
        this.fail(sequence, new EngineError('out_of_memory', 'The prompt is longer than the engine has memory for.'));
        continue;
      }
      // Making room may have given up the very cache that was to be copied.
      const source = this.knownOf(sequence);
      if (source) cache.copyFrom(source.cache, source.length);
      sequence.cache = cache;
      sequence.computed = source?.length ?? 0;
      this.live.push(sequence);
    }
  }

  /** What of it is computed elsewhere. Of a prompt that is scored every token is computed. */
  private knownOf({ tokens, adapterKey, isScored }: LiveSequence): ReturnType<PrefixStore['longest']> {
    return isScored ? null : this.prefixes.longest(tokens, adapterKey, this.live);
  }

  /** How much of its beginning another sequence is about to compute. */
  private soonComputed(sequence: LiveSequence): number {
    if (sequence.isScored) return 0;
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
    let logits = STEP_SEQUENCES;
    for (const sequence of [...this.live].sort((a, b) => missing(a) - missing(b))) {
      if (!sequence.cache || logits === 0) continue;
      const shared = sequence.share(this.helpers?.threads ?? 1);
      if (shared) {
        if (room < PIECE) continue;
        if (shared.offer) this.helpers?.ask(shared.offer);
        const piece = shared.take();
        items.push({ sequences: [sequence], ...piece });
        room -= piece.count;
        logits -= 1;
        continue;
      }
      const alike = sequence.isScored ? undefined : sampling.get(sequence.hash);
      if (alike?.sequences[0]!.isLike(sequence)) {
        if (this.makeRoom(sequence, sequence.tokens.length)) alike.sequences.push(sequence);
        continue;
      }
      const count = Math.min(room, missing(sequence), sequence.isScored ? logits : Infinity);
      if (count === 0 || !this.makeRoom(sequence, sequence.computed + count)) continue;
      const item = { sequences: [sequence], position: sequence.computed, count };
      items.push(item);
      if (count === missing(sequence) && !sequence.isScored) sampling.set(sequence.hash, item);
      room -= count;
      logits -= sequence.isScored ? count : 1;
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
    let index = 0;
    for (const { sequences, position, count } of batch) {
      for (const sequence of sequences) sequence.advance(count, layers);
      const address = logits + index * vocabularySize * 4;
      const { computed, tokens, isScored } = sequences[0]!;
      index += isScored ? count : 1;
      if (isScored) this.score(sequences[0]!, { position, count, address });
      else if (computed === tokens.length) this.sample(sequences, address);
    }
  }

  private score(sequence: LiveSequence, at: ScoredRows): void {
    const { id } = sequence.spec;
    try {
      scoreRows(this.compute, sequence, at);
      if (sequence.inPrompt) return;
      this.outcomes.push({ type: 'scored', id, tokens: sequence.scored });
      this.finish(sequence, { type: 'done', id });
    } catch (error) {
      this.fail(sequence, error);
    }
  }

  /** The logits after each item; null where help that a sequence waited for did not come: it begins again without. */
  private logitsOf(batch: BatchItem[]): Address | null {
    try {
      return this.pass.run(batch.flatMap(decodeItems));
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
    this.finish(sequence, failedOutcome(sequence.spec.id, error));
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
