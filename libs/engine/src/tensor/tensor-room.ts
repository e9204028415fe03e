import type { Allocator } from './allocator.js';
import { FreeList } from './free-list.js';
import type { Address } from './kernels.js';
import type { TensorMemory } from './tensor-memory.js';

/** A stretch of a memory that was taken as a whole: nobody else can take what is to be allocated in it. */
export class TensorRoom implements Allocator {
  private readonly start: Address;
  private readonly list: FreeList;

  /** @throws EngineError `out_of_memory` */
  constructor(
    private readonly memory: TensorMemory,
    readonly bytes: number,
  ) {
    this.start = memory.reserve(bytes);
    this.list = FreeList.over(this.start, bytes);
  }

  allocate(bytes: number): Address {
    const address = this.reserve(bytes);
    this.memory.zero(address, bytes);
    return address;
  }

  reserve(bytes: number): Address {
    const address = this.list.allocate(bytes);
    if (address === null) throw new RangeError(`${bytes} bytes more than were taken`);
    return address;
  }

  release(start: Address): void {
    this.list.release(start);
  }

  /** Gives the whole stretch back. */
  giveUp(): void {
    this.memory.release(this.start);
  }
}
