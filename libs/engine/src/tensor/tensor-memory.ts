import { EngineError } from '../protocol/engine.errors.js';
import { FreeList } from './free-list.js';
import type { Address } from './kernels.js';

const PAGE = 65_536;

/**
 * The memory that kernels and threads share, and who has which part of it. It grows as far as `limitBytes`, at most 4 GiB,
 * and never shrinks: what is freed is handed out again.
 */
export class TensorMemory {
  readonly memory: WebAssembly.Memory;
  /** Address 0 means "none": the first page stays empty. */
  private readonly list = new FreeList(PAGE);

  constructor(limitBytes = 4 * 1024 ** 3) {
    const maximum = Math.min(PAGE, Math.ceil(limitBytes / PAGE));
    this.memory = new WebAssembly.Memory({ initial: 1, maximum, shared: true });
  }

  /** Bytes handed out at present. */
  get usedBytes(): number {
    return this.list.usedBytes;
  }

  /**
   * Takes `bytes`, zeroed and aligned to 64.
   * @throws EngineError `out_of_memory`
   */
  allocate(bytes: number): Address {
    const address = this.reserve(bytes);
    new Uint8Array(this.memory.buffer, address, bytes).fill(0);
    return address;
  }

  /** As {@link allocate}, but not zeroed: pages that nobody writes to cost nothing. */
  reserve(bytes: number): Address {
    const found = this.list.allocate(bytes);
    if (found !== null) return found;
    const end = this.list.endFor(bytes);
    const missing = end - this.memory.buffer.byteLength;
    try {
      if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    } catch {
      throw new EngineError('out_of_memory', `${Math.ceil(bytes / 1024 ** 2)} MiB more than the engine may use`);
    }
    this.list.extend(end);
    return this.list.allocate(bytes)!;
  }

  release(start: Address): void {
    this.list.release(start);
  }

  floats(start: Address, count: number): Float32Array {
    return new Float32Array(this.memory.buffer, start, count);
  }

  integers(start: Address, count: number): Int32Array {
    return new Int32Array(this.memory.buffer, start, count);
  }
}
