import { isStorageFull } from './outage.js';

/** A disk that was full so short a time ago probably still is. */
const REMEMBERED_MS = 60_000;

/** Whether the database has room to write. It can't be asked: only a statement that needs some finds out. */
export class DatabaseRoom {
  private fullAt = -Infinity;

  /** Of each statement that fails. */
  note(error: unknown): void {
    if (isStorageFull(error)) this.fullAt = performance.now();
  }

  get isFull(): boolean {
    return performance.now() - this.fullAt < REMEMBERED_MS;
  }
}
