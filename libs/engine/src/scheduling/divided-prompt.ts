import type { AdapterView } from '../model/compute.js';
import type { CachePlace } from '../model/key-value-cache.js';
import { PIECE, PromptBoard } from './prompt-board.js';

/** What a thread needs to know to compute pieces of another's prompt; sent as a message. */
export interface PromptOffer {
  board: SharedArrayBuffer;
  cache: CachePlace;
  adapter: AdapterView | null;
  /** Position of the first token of the first piece, and the tokens from there on, in memory that threads share. */
  start: number;
  tokens: Int32Array;
}

/** Other threads that may compute pieces of a long prompt. */
export interface Helpers {
  /** All threads, this one too. */
  threads: number;
  /** Called for each piece as long as there are others. */
  ask: (offer: PromptOffer) => void;
}

/** Tokens of a prompt below which other threads are not asked for help. */
export const LEAST_SHARED = 512;

/** A prompt whose pieces several threads compute, as the thread sees it that samples from it. */
export class DividedPrompt {
  private readonly board: PromptBoard;
  /** The piece that this thread computes now. */
  private piece = 0;

  constructor(
    private readonly prompt: Omit<PromptOffer, 'board'>,
    threads: number,
  ) {
    this.board = PromptBoard.open(Math.ceil(prompt.tokens.length / PIECE), threads);
  }

  /** Null where there is nothing left to help with. */
  get offer(): PromptOffer | null {
    return this.board.open ? { ...this.prompt, board: this.board.buffer } : null;
  }

  /** Takes a piece, the last one where all others are taken. */
  take(): { position: number; count: number } {
    this.piece = this.board.claim() ?? this.board.pieces - 1;
    const { position, tokens } = pieceOf(this.prompt, this.piece);
    return { position, count: tokens.length };
  }

  /** For the piece taken: see {@link PromptBoard.reached}. */
  readonly reached = (layer: number): void => this.board.reached(this.piece, layer);

  /** Tokens that the cache holds, from the first one on; all only when the last piece is computed. */
  computed(layers: number): number {
    const done = this.board.completed(layers);
    return this.prompt.start + Math.min(done * PIECE, this.prompt.tokens.length);
  }

  /** Nobody else computes with the cache when this returns. */
  close(): void {
    this.board.close();
  }
}

/** Tokens as a {@link PromptOffer} has them. */
export function sharedTokens(tokens: readonly number[]): Int32Array {
  const shared = new Int32Array(new SharedArrayBuffer(tokens.length * 4));
  shared.set(tokens);
  return shared;
}

export function pieceOf({ start, tokens }: Pick<PromptOffer, 'start' | 'tokens'>, piece: number) {
  return { position: start + piece * PIECE, tokens: [...tokens.subarray(piece * PIECE, (piece + 1) * PIECE)] };
}
