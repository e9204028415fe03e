/** Turns calls into an async iteration: what is pushed is read in its order. */
export class EventQueue<T> implements AsyncIterableIterator<T> {
  private readonly events: T[] = [];
  private wake: (() => void) | null = null;
  private ended = false;
  private failure: unknown = null;

  push(event: T): void {
    this.events.push(event);
    this.wake?.();
  }

  end(): void {
    this.ended = true;
    this.wake?.();
  }

  /** What was pushed before is still read. */
  fail(error: unknown): void {
    this.failure ??= error;
    this.end();
  }

  async next(): Promise<IteratorResult<T>> {
    while (this.events.length === 0 && !this.ended) await new Promise<void>((resolve) => (this.wake = resolve));
    if (this.events.length > 0) return { done: false, value: this.events.shift()! };
    if (this.failure) throw this.failure;
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
