import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ClientLeftError } from '@heddle/http';
import { QueryLimits } from './query.limits.js';
import { TooManyQueriesError } from './query.errors.js';

/** Lets so many queries hold a connection at a time, first come, first served. */
@Injectable()
export class QuerySlots {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly limits: QueryLimits) {}

  /**
   * Takes a slot, when there is one. Call what comes back once, to give it to the next.
   * @param signal ends the wait of a client that left
   * @throws TooManyQueriesError if there is none within the limits
   */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.taken < this.limits.connections) this.taken++;
    else await this.wait(signal);
    return () => this.pass();
  }

  private async wait(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    let enter: () => void = () => undefined;
    const turn = new Promise<true>((resolve) => (enter = () => resolve(true)));
    this.waiting.add(enter);
    try {
      const timeout = delay(this.limits.waitMs, false, { signal: AbortSignal.any([signal, over.signal]) });
      if (!(await Promise.race([turn, timeout]))) throw new TooManyQueriesError();
    } catch (error) {
      // The turn may have come in the same moment.
      if (!this.waiting.delete(enter)) this.pass();
      throw signal.aborted ? new ClientLeftError() : error;
    } finally {
      over.abort();
    }
  }

  /** A slot goes to the next in line directly, so that nobody new is faster. */
  private pass(): void {
    const [next] = this.waiting;
    if (!next) {
      this.taken--;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
