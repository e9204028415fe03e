import type { FreeList } from '../tensor/free-list.js';
import type { Address } from '../tensor/kernels.js';
import type { Compute } from './compute.js';
import type { ModelConfig } from './model-config.js';

/** Positions by which a cache grows at least. */
const STEP = 32;

/** Keys and values of one sequence's positions, all layers; grows with the sequence. */
export class KeyValueCache {
  private constructor(
    private readonly compute: Compute,
    private readonly list: FreeList,
    private address: Address,
    /** Positions that there is room for; a multiple of 8. */
    private room: number,
  ) {}

  /** Null where the memory doesn't suffice. */
  static create(compute: Compute, list: FreeList, positions: number): KeyValueCache | null {
    const room = rounded(positions, compute.model.config.contextLength);
    const address = list.allocate(KeyValueCache.bytes(compute, room));
    return address === null ? null : new KeyValueCache(compute, list, address, room);
  }

  /** Bytes for a sequence of as many positions as there can be. */
  static wholeContext({ layers, keyValueHeads, headSize, contextLength }: ModelConfig): number {
    return layers * 2 * keyValueHeads * headSize * (contextLength + STEP) * 4;
  }

  get capacity(): number {
    return this.room;
  }

  keys(layer: number): Address {
    return this.address + layer * 2 * this.layerFloats(this.room) * 4;
  }

  values(layer: number): Address {
    return this.keys(layer) + this.layerFloats(this.room) * 4;
  }

  /** Makes room for `positions`, keeping the first `length`. False where the memory doesn't suffice; nothing changes then. */
  grow(positions: number, length: number): boolean {
    if (positions <= this.room) return true;
    const room = rounded(Math.max(positions, this.room * 2), this.compute.model.config.contextLength);
    const address = this.list.allocate(KeyValueCache.bytes(this.compute, room));
    if (address === null) return false;
    const larger = new KeyValueCache(this.compute, this.list, address, room);
    larger.copyFrom(this, length);
    this.list.release(this.address);
    this.address = address;
    this.room = room;
    return true;
  }

  /** The first `length` positions of another cache, which are the same tokens under the same adapter. */
  copyFrom(other: KeyValueCache, length: number): void {
    const { layers, keyValueHeads, headSize } = this.compute.model.config;
    for (let layer = 0; layer < layers; layer++) {
      this.compute.kernels.growCache(
        length,
        keyValueHeads,
        headSize,
        other.keys(layer),
        other.room,
        this.keys(layer),
        this.room,
      );
    }
  }

  release(): void {
    this.list.release(this.address);
  }

  private layerFloats(room: number): number {
    const { keyValueHeads, headSize } = this.compute.model.config;
    return keyValueHeads * headSize * room;
  }

  private static bytes(compute: Compute, room: number): number {
    const { layers, keyValueHeads, headSize } = compute.model.config;
    return layers * 2 * keyValueHeads * headSize * room * 4;
  }
}

function rounded(positions: number, contextLength: number): number {
  return Math.ceil(Math.min(Math.ceil(positions / STEP) * STEP, Math.max(contextLength, positions)) / 8) * 8;
}
