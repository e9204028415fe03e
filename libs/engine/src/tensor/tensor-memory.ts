import { EngineError } from '../protocol/engine.errors.js';
import type { Allocator } from './allocator.js';
import { FreeList } from './free-list.js';
import type { Address } from './kernels.js';
import { MemoryLimit } from './memory-limit.js';

const PAGE = 65_536;

/** Addresses have 32 bits. */
export const MOST_BYTES = PAGE * PAGE;

/**
 * The memory that kernels and threads share, and who has which part of it. It grows as far as its limit lets it, to 4 GiB at
 * most, and never shrinks: what is freed is handed out again.
 */
export class TensorMemory implements Allocator {
  readonly memory: WebAssembly.Memory;
  /** Address 0 means "none": the first page stays empty. */
  private readonly list = new FreeList(PAGE);

  constructor(private readonly limit = new MemoryLimit(MOST_BYTES)) {
    // V8 reserves 10 GiB of addresses for any memory, whatever its maximum; some ten thousand of them are there.
    const maximum = Math.min(PAGE, Math.ceil(limit.bytes / PAGE));
    this.memory = new WebAssembly.Memory({ initial: 1, maximum, shared: true });
    limit.join(this);
  }

  /** All that it has grown to. */
  get bytes(): number {
    return this.memory.buffer.byteLength;
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
    this.zero(address, bytes);
    return address;
  }

  zero(address: Address, bytes: number): void {
    new Uint8Array(this.memory.buffer, address, bytes).fill(0);
  }

  /** As {@link allocate}, but not zeroed: pages that nobody writes to cost nothing. */
  reserve(bytes: number): Address {
    const found = this.list.allocate(bytes);
    if (found !== null) return found;
    const end = this.list.endFor(bytes);
    if (!this.grow(end - this.bytes)) {
      throw new EngineError('out_of_memory', `${Math.ceil(bytes / 1024 ** 2)} MiB more than the engine may use`);
    }
    this.list.extend(end);
    return this.list.allocate(bytes)!;
  }

  private grow(missing: number): boolean {
    const pages = Math.ceil(missing / PAGE);
    if (pages <= 0) return true;
    if (pages * PAGE > this.limit.free) return false;
    try {
      this.memory.grow(pages);
      return true;
    } catch {
      return false;
    }
  }

  /** Bytes by which it must grow so that as many fit at once. */
  missing(bytes: number): number {
    return this.list.fits(bytes) ? 0 : Math.ceil((this.list.endFor(bytes) - this.bytes) / PAGE) * PAGE;
  }

  /** Nobody may use it any more: what it took is free for others. */
  leave(): void {
    this.limit.leave(this);
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
