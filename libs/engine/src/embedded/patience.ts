import { EngineError } from '../protocol/engine.errors.js';

/** How long somebody waits: until a moment, or for ever; and not once it was cancelled. */
export class Patience {
  private constructor(
    private readonly until: number,
    private readonly signal?: AbortSignal,
  ) {}

  static endless(signal?: AbortSignal): Patience {
    return new Patience(Infinity, signal);
  }

  static of(milliseconds: number, signal?: AbortSignal): Patience {
    return new Patience(performance.now() + milliseconds, signal);
  }

  throwIfCancelled(): void {
    if (this.signal?.aborted) throw new EngineError('cancelled', 'it was cancelled');
  }

  /**
   * Waits from now on until one of `listeners` is called, which all are at a change.
   * @returns `came`: false where patience ended before.
   */
  change(listeners: Set<() => void>): { came: Promise<boolean>; forget: () => void } {
    let settle: (came: boolean) => void = () => undefined;
    const came = new Promise<boolean>((resolve) => (settle = resolve));
    const left = this.until - performance.now();
    const timer = left < Infinity ? setTimeout(() => end(false), Math.max(0, left)) : undefined;
    const changed = () => end(true);
    const end = (value: boolean) => {
      clearTimeout(timer);
      listeners.delete(changed);
      this.signal?.removeEventListener('abort', changed);
      settle(value);
    };
    listeners.add(changed);
    this.signal?.addEventListener('abort', changed, { once: true });
    return { came, forget: changed };
  }
}
