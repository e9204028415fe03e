import type { Compute } from '../model/compute.js';
import { DecodePass } from '../model/decode-pass.js';
import { CacheView } from '../model/key-value-cache.js';
import { Arena } from '../tensor/arena.js';
import type { Region } from '../threads/sample-task.js';
import { BoardClosedError, PromptBoard } from './prompt-board.js';
import { pieceOf, type PromptOffer } from './divided-prompt.js';

/** Computes pieces of prompts that other threads will sample from. */
export class PieceWorker {
  private readonly pass: DecodePass;

  /** @param arena nobody else uses it while a piece is computed */
  constructor(
    private readonly compute: Compute,
    arena: Region,
    /** Which of the threads this is. */
    private readonly thread: number,
  ) {
    this.pass = new DecodePass(compute, new Arena(arena.address, arena.bytes));
  }

  /** One piece; false where there is nothing left to do. */
  help(offer: PromptOffer): boolean {
    const board = new PromptBoard(offer.board);
    const piece = board.enter(this.thread);
    if (piece === null) return false;
    try {
      const caches = [new CacheView(this.compute.model.config, offer.cache)];
      const reached = (layer: number) => board.reached(piece, layer);
      this.pass.run([{ caches, adapter: offer.adapter, ...pieceOf(offer, piece), reached }]);
      return true;
    } catch (error) {
      board.giveUp();
      if (error instanceof BoardClosedError) return false;
      throw error;
    } finally {
      board.leave(this.thread);
    }
  }
}
