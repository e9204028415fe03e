import { nextTurn } from './sliced-work.js';

/** Longest stretch of one request's own work, in milliseconds, before other requests get their turn. */
const STRETCH_MS = 8;

/** Lets a long loop share the event loop: `if (turns.isOver()) await turns.next()` at each round. */
export class WorkTurns {
  private since = performance.now();

  isOver(): boolean {
    return performance.now() - this.since > STRETCH_MS;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.since = performance.now();
  }
}
