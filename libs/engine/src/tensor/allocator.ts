import type { Address } from './kernels.js';

/** Hands out parts of a memory. */
export interface Allocator {
  /** Zeroed, and aligned to 64. @throws EngineError `out_of_memory` */
  allocate(bytes: number): Address;
  /** As {@link allocate}, but not zeroed: pages that nobody writes to cost nothing. */
  reserve(bytes: number): Address;
  release(start: Address): void;
}
