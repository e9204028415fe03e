/** Tokens of a piece: what one thread computes of a prompt before it takes the next. */
export const PIECE = 128;

/** Milliseconds after which a thread that waits looks whether there is still something to wait for. */
const LOOK = 20;

// Places in the board: whether it is closed, which piece is next, how many there are, and how many threads. Then, for each
// thread, whether it computes a piece; then, for each piece, how many layers of it are in the cache.
const [CLOSED, NEXT, PIECES, THREADS, BUSY] = [0, 1, 2, 3, 4] as const;

/** What a piece waits for will not come: the prompt is given up, or a thread that computed a part of it died. */
export class BoardClosedError extends Error {}

/**
 * Who computes which piece of a prompt, in memory that threads share. Pieces are taken in their order, and each goes
 * through a layer after the one before it: then all keys and values that it attends to are in the cache. The last piece is
 * left for the thread whose prompt it is, which samples from it.
 */
export class PromptBoard {
  private readonly words: Int32Array;

  constructor(readonly buffer: SharedArrayBuffer) {
    this.words = new Int32Array(buffer);
  }

  static open(pieces: number, threads: number): PromptBoard {
    const board = new PromptBoard(new SharedArrayBuffer((BUSY + threads + pieces) * 4));
    board.words[PIECES] = pieces;
    board.words[THREADS] = threads;
    return board;
  }

  get pieces(): number {
    return this.words[PIECES]!;
  }

  /** Whether there are pieces for others. */
  get open(): boolean {
    return Atomics.load(this.words, CLOSED) === 0 && Atomics.load(this.words, NEXT) < this.pieces - 1;
  }

  /** The next piece that any thread may take; null where none is left. */
  claim(): number | null {
    const piece = this.open ? Atomics.add(this.words, NEXT, 1) : this.pieces;
    return piece < this.pieces - 1 ? piece : null;
  }

  /** As {@link claim} for a thread that helps: the board isn't {@link close}d before it leaves. */
  enter(thread: number): number | null {
    Atomics.store(this.words, BUSY + thread, 1);
    const piece = this.claim();
    if (piece === null) this.leave(thread);
    return piece;
  }

  leave(thread: number): void {
    Atomics.store(this.words, BUSY + thread, 0);
    Atomics.notify(this.words, BUSY + thread);
  }

  /**
   * Called when a piece's keys and values of a layer are in the cache: returns when those of all before it are too.
   * @throws BoardClosedError
   */
  reached(piece: number, layer: number): void {
    const own = this.place(piece);
    if (piece > 0) this.await(own - 1, layer);
    Atomics.store(this.words, own, layer + 1);
    Atomics.notify(this.words, own);
  }

  /** How many pieces from the first one on are in the cache with all their layers. */
  completed(layers: number): number {
    let count = 0;
    while (count < this.pieces && Atomics.load(this.words, this.place(count)) === layers) count++;
    return count;
  }

  /** Nobody computes with the cache any more when this returns. */
  close(): void {
    this.giveUp();
    for (let thread = 0; thread < this.words[THREADS]!; thread++) {
      while (Atomics.load(this.words, BUSY + thread) !== 0) Atomics.wait(this.words, BUSY + thread, 1, LOOK);
    }
  }

  /** Makes all who wait throw. */
  giveUp(): void {
    Atomics.store(this.words, CLOSED, 1);
  }

  /** A thread died: what it was computing will never be there. */
  lost(thread: number): void {
    this.giveUp();
    this.leave(thread);
  }

  private await(place: number, layer: number): void {
    for (;;) {
      const layers = Atomics.load(this.words, place);
      if (layers > layer) return;
      if (Atomics.load(this.words, CLOSED) !== 0) throw new BoardClosedError('the prompt was given up');
      Atomics.wait(this.words, place, layers, LOOK);
    }
  }

  private place(piece: number): number {
    return BUSY + this.words[THREADS]! + piece;
  }
}
