import { adapterKey, type AdapterWeights } from '../files/adapter-tensors.js';
import type { AdapterView } from '../model/compute.js';
import { LINEAR_MODULES, type LinearModule } from '../model/model-config.js';
import type { ModelMemory } from '../model/model-memory.js';
import { type AdapterLayout, layoutAdapter, type TensorPlace } from '../model/weights.layout.js';
import type { Address } from '../tensor/kernels.js';
import type { Allocator } from '../tensor/allocator.js';
import { transpose } from '../tensor/transpose.js';
import { splitmix32 } from './splitmix32.js';

/** A LoRA adapter in shared memory. Files have A as [rank, input] and B as [output, rank], memory has them transposed. */
export class AdapterMemory {
  readonly layout: AdapterLayout;
  readonly view: AdapterView;

  private constructor(
    private readonly model: ModelMemory,
    private readonly memory: Allocator,
    readonly rank: number,
    readonly alpha: number,
  ) {
    this.layout = layoutAdapter(model.config, rank);
    this.view = { address: memory.allocate(this.layout.size * 4), rank, scale: alpha / rank };
  }

  /** Modules that the files don't have stay zero, and change nothing. */
  static load(
    model: ModelMemory,
    files: AdapterWeights & { alpha: number },
    memory: Allocator = model.tensors,
  ): AdapterMemory {
    const adapter = new AdapterMemory(model, memory, files.rank, files.alpha);
    adapter.fill(adapter.view.address, files.tensors);
    return adapter;
  }

  /** B is zero, so that a fresh adapter changes nothing; A is uniform with unit gain. */
  static fresh(
    model: ModelMemory,
    shape: { rank: number; alpha: number },
    seed: number,
    memory: Allocator = model.tensors,
  ): AdapterMemory {
    const adapter = new AdapterMemory(model, memory, shape.rank, shape.alpha);
    const random = splitmix32(seed);
    for (const { place, address, matrix } of adapter.matrices(adapter.view.address)) {
      if (matrix === 'B') continue;
      const bound = Math.sqrt(3 / place.shape[0]);
      const values = adapter.floats(address, place);
      for (let i = 0; i < values.length; i++) values[i] = (random() * 2 - 1) * bound;
    }
    return adapter;
  }

  /** Copies tensors as files have them into a block laid out like this adapter. */
  fill(block: Address, tensors: ReadonlyMap<string, Float32Array>): void {
    for (const { key, address, place } of this.matrices(block)) {
      const values = tensors.get(key);
      if (values) transpose(values, place.shape[0], this.floats(address, place));
    }
  }

  /** The tensors of a block laid out like this adapter, as files have them. */
  tensors(block: Address = this.view.address): Map<string, Float32Array> {
    const tensors = new Map<string, Float32Array>();
    for (const { key, address, place } of this.matrices(block)) {
      const values = this.floats(address, place);
      tensors.set(key, transpose(values, place.shape[1]!, new Float32Array(values.length)));
    }
    return tensors;
  }

  release(): void {
    this.memory.release(this.view.address);
  }

  private *matrices(block: Address) {
    for (const [layer, modules] of this.layout.layers.entries()) {
      for (const module of LINEAR_MODULES as readonly LinearModule[]) {
        const { a, b } = modules[module];
        for (const [matrix, place] of [
          ['A', a],
          ['B', b],
        ] as const) {
          yield { key: adapterKey({ layer, module, matrix }), matrix, place, address: block + place.offset * 4 };
        }
      }
    }
  }

  private floats(address: Address, { shape }: TensorPlace): Float32Array {
    return this.model.tensors.floats(address, shape[0] * shape[1]!);
  }
}
