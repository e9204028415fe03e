import { EngineError } from '../protocol/engine.errors.js';
import { badTokenizer } from './tokenizer-file.js';

/** Pairs of token ids are keys of the table of merges: `left * PAIR + right`, exact up to this many tokens. */
const PAIR = 2 ** 26;
/** Entries of the queue are `rank * PLACE + place`, so that equal ranks merge from the left. */
const PLACE = 2 ** 26;
/** Words up to this length share their buffers; longer ones give theirs back. */
const KEPT = 4096;

/**
 * Byte-pair encoding of one word: while two neighbouring tokens have a merge, the pair whose merge is the earliest in
 * the list (the leftmost of those) becomes one. O(n log n) in the word's length, since a hostile text can be one word.
 */
export class BytePairEncoder {
  private readonly ranks = new Map<number, number>();
  private readonly merged: Int32Array;
  private next = new Int32Array(KEPT);
  private previous = new Int32Array(KEPT);
  private heap = new Float64Array(3 * KEPT);
  private queued = 0;

  constructor(vocabulary: ReadonlyMap<string, number>, merges: readonly (readonly [string, string])[]) {
    this.merged = new Int32Array(merges.length);
    merges.forEach(([left, right], rank) => {
      const leftId = vocabulary.get(left);
      const rightId = vocabulary.get(right);
      const id = vocabulary.get(left + right);
      if (leftId === undefined || rightId === undefined || id === undefined) {
        throw badTokenizer(`model.merges[${rank}] makes or takes a token that model.vocab doesn't have`);
      }
      // Of a merge that is listed twice the later counts, as in the original.
      this.ranks.set(leftId * PAIR + rightId, rank);
      this.merged[rank] = id;
    });
  }

  /** Merges the first `count` of `tokens` in place; returns how many are left. */
  merge(tokens: Int32Array, count: number): number {
    if (count >= PLACE) throw new EngineError('invalid_request', 'a word of the text is too long to tokenize');
    if (count < 2 || this.ranks.size === 0) return count;
    this.reserve(count);
    const { next, previous } = this;
    for (let i = 0; i < count; i++) {
      next[i] = i + 1 < count ? i + 1 : -1;
      previous[i] = i - 1;
    }
    for (let i = 0; i + 1 < count; i++) this.enqueue(tokens, i);
    while (this.queued > 0) {
      const entry = this.dequeue();
      const rank = Math.floor(entry / PLACE);
      const place = entry % PLACE;
      // An entry is stale once one of its two tokens has become part of another.
      if (this.rankAt(tokens, place) !== rank) continue;
      const gone = next[place]!;
      const after = next[gone]!;
      tokens[place] = this.merged[rank]!;
      tokens[gone] = -1;
      next[place] = after;
      if (after >= 0) {
        previous[after] = place;
        this.enqueue(tokens, place);
      }
      if (previous[place]! >= 0) this.enqueue(tokens, previous[place]!);
    }
    let left = 0;
    for (let i = 0; i >= 0; i = next[i]!) tokens[left++] = tokens[i]!;
    if (count > KEPT) this.reserve(0);
    return left;
  }

  private rankAt(tokens: Int32Array, place: number): number | undefined {
    const right = this.next[place]!;
    return tokens[place]! < 0 || right < 0 ? undefined : this.ranks.get(tokens[place]! * PAIR + tokens[right]!);
  }

  private reserve(count: number): void {
    // Each of the at most `count` merges adds two entries to the first `count`.
    const size = Math.max(KEPT, count);
    if (this.next.length === size) return;
    this.next = new Int32Array(size);
    this.previous = new Int32Array(size);
    this.heap = new Float64Array(3 * size);
  }

  private enqueue(tokens: Int32Array, place: number): void {
    const rank = this.rankAt(tokens, place);
    if (rank === undefined) return;
    const { heap } = this;
    const entry = rank * PLACE + place;
    let i = this.queued++;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (heap[parent]! <= entry) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = entry;
  }

  private dequeue(): number {
    const { heap } = this;
    const top = heap[0]!;
    const entry = heap[--this.queued]!;
    let i = 0;
    for (let child = 1; child < this.queued; child = 2 * i + 1) {
      if (child + 1 < this.queued && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= entry) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = entry;
    return top;
  }
}
