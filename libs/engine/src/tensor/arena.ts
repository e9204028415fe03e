import { EngineError } from '../protocol/engine.errors.js';
import type { Address } from './kernels.js';

const ALIGNMENT = 64;

/** Room for one pass, taken from the front and given back all at once. */
export class Arena {
  private top: Address;

  constructor(
    readonly start: Address,
    readonly bytes: number,
  ) {
    this.top = start;
  }

  /** An arena that only counts: what a pass would take, before it gets any memory. */
  static counting(): Arena {
    return new Arena(0, Number.MAX_SAFE_INTEGER);
  }

  get used(): number {
    return this.top - this.start;
  }

  /** Room for `count` floats or 32-bit integers; not zeroed. */
  take(count: number): Address {
    const address = this.top;
    this.top += Math.ceil((count * 4) / ALIGNMENT) * ALIGNMENT;
    if (this.used > this.bytes) throw new EngineError('out_of_memory', 'the pass is larger than its memory');
    return address;
  }

  reset(): void {
    this.top = this.start;
  }
}
