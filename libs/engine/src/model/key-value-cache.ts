import type { FreeList } from '../tensor/free-list.js';
import type { Address } from '../tensor/kernels.js';
import type { Compute } from './compute.js';
import type { ModelConfig } from './model-config.js';

/** Positions by which a cache grows at least. */
const STEP = 32;

/** Where a cache lies, and the positions that it has room for; a multiple of 8. */
export interface CachePlace {
  address: Address;
  room: number;
}

/** Keys and values of one sequence's positions, all layers, for whoever computes with them. */
export class CacheView {
  constructor(
    private readonly config: ModelConfig,
    protected at: CachePlace,
  ) {}

  get place(): CachePlace {
    return this.at;
  }

  get capacity(): number {
    return this.at.room;
  }

  keys(layer: number): Address {
    return this.at.address + layer * 2 * this.layerFloats * 4;
  }

  values(layer: number): Address {
    return this.keys(layer) + this.layerFloats * 4;
  }

  private get layerFloats(): number {
    return this.config.keyValueHeads * this.config.headSize * this.at.room;
  }
}

/** A cache that grows with its sequence. */
export class KeyValueCache extends CacheView {
  private constructor(
    private readonly compute: Compute,
    private readonly list: FreeList,
    place: CachePlace,
  ) {
    super(compute.model.config, place);
  }

  /** Null where the memory doesn't suffice. */
  static create(compute: Compute, list: FreeList, positions: number): KeyValueCache | null {
    const room = rounded(positions, compute.model.config.contextLength);
    const address = list.allocate(KeyValueCache.bytes(compute, room));
    return address === null ? null : new KeyValueCache(compute, list, { address, room });
  }

  /** Bytes for a sequence of as many positions as there can be. */
  static wholeContext({ layers, keyValueHeads, headSize, contextLength }: ModelConfig): number {
    return layers * 2 * keyValueHeads * headSize * (contextLength + STEP) * 4;
  }

  /** Makes room for `positions`, keeping the first `length`. False where the memory doesn't suffice; nothing changes then. */
  grow(positions: number, length: number): boolean {
    if (positions <= this.capacity) return true;
    const room = rounded(Math.max(positions, this.capacity * 2), this.compute.model.config.contextLength);
    const address = this.list.allocate(KeyValueCache.bytes(this.compute, room));
    if (address === null) return false;
    const larger = new KeyValueCache(this.compute, this.list, { address, room });
    larger.copyFrom(this, length);
    this.list.release(this.at.address);
    this.at = larger.at;
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
        other.capacity,
        this.keys(layer),
        this.capacity,
      );
    }
  }

  release(): void {
    this.list.release(this.at.address);
  }

  private static bytes(compute: Compute, room: number): number {
    const { layers, keyValueHeads, headSize } = compute.model.config;
    return layers * 2 * keyValueHeads * headSize * room * 4;
  }
}

function rounded(positions: number, contextLength: number): number {
  return Math.ceil(Math.min(Math.ceil(positions / STEP) * STEP, Math.max(contextLength, positions)) / 8) * 8;
}
