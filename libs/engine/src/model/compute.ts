import { type Address, instantiateKernels, type Kernels, SCRATCH_BYTES } from '../tensor/kernels.js';
import type { LinearModule } from './model-config.js';
import type { SharedModel } from './model-memory.js';
import { ropeTables } from './rope-tables.js';
import {
  type AdapterLayout,
  layoutAdapter,
  layoutWeights,
  type TensorPlace,
  type WeightsLayout,
} from './weights.layout.js';

/** Positions by which RoPE's tables grow. */
const REACH_STEP = 512;

/** An adapter in shared memory. */
export interface AdapterView {
  address: Address;
  rank: number;
  /** alpha / rank. */
  scale: number;
}

/** One thread's hands on a model: its kernels, its scratch, and where the weights are. */
export class Compute {
  readonly kernels: Kernels;
  readonly layout: WeightsLayout;
  private readonly adapterLayouts = new Map<number, AdapterLayout>();
  /** Positions for which this thread wrote RoPE's tables. */
  private reached = 0;

  constructor(
    readonly model: SharedModel,
    /** {@link Compute.SCRATCH} bytes that no other thread uses. */
    readonly scratch: Address,
  ) {
    this.kernels = instantiateKernels(model.memory);
    this.layout = layoutWeights(model.config, model.precision);
  }

  static readonly SCRATCH = SCRATCH_BYTES;

  /**
   * Makes RoPE's tables hold the first `positions`: those that nobody comes to are not computed and take no memory. Threads
   * write to the same tables, each the same bits.
   */
  reach(positions: number): void {
    if (positions <= this.reached) return;
    const { config, cos, sin } = this.model;
    const to = Math.min(Math.ceil(positions / REACH_STEP) * REACH_STEP, config.contextLength);
    const tables = ropeTables(config, this.reached, to);
    const at = this.reached * (config.headSize / 2) * 4;
    this.floats(cos + at, tables.cos.length).set(tables.cos);
    this.floats(sin + at, tables.sin.length).set(tables.sin);
    this.reached = to;
  }

  weight(place: TensorPlace): Address {
    return this.model.weights + place.offset * 4;
  }

  adapterLayout(rank: number): AdapterLayout {
    const known = this.adapterLayouts.get(rank) ?? layoutAdapter(this.model.config, rank);
    this.adapterLayouts.set(rank, known);
    return known;
  }

  lora(adapter: AdapterView, layer: number, module: LinearModule): { a: Address; b: Address } {
    const { a, b } = this.adapterLayout(adapter.rank).layers[layer]![module];
    return { a: adapter.address + a.offset * 4, b: adapter.address + b.offset * 4 };
  }

  floats(address: Address, count: number): Float32Array {
    return new Float32Array(this.buffer(address + count * 4), address, count);
  }

  integers(address: Address, count: number): Int32Array {
    return new Int32Array(this.buffer(address + count * 4), address, count);
  }

  /** y [rows, output] = x W, or y += x W; W is [input, output]. */
  multiply(rows: number, place: TensorPlace, x: Address, y: Address, accumulate = false): void {
    const [input, output] = place.shape as readonly [number, number];
    const { kernels, scratch } = this;
    const w = this.weight(place);
    const add = accumulate ? 1 : 0;
    if (place.half) kernels.multiplyHalf(rows, input, output, x, w, y, add, scratch);
    else kernels.gemm(rows, output, input, x, input, 1, w, output, 1, y, output, add, scratch);
  }

  /** dx [rows, input] = dy W^T, or dx += dy W^T. */
  multiplyBack(rows: number, place: TensorPlace, dy: Address, dx: Address, accumulate = false): void {
    const [input, output] = place.shape as readonly [number, number];
    const { kernels, scratch } = this;
    const w = this.weight(place);
    const add = accumulate ? 1 : 0;
    if (place.half) kernels.multiplyHalfBack(rows, input, output, dy, w, dx, add, scratch);
    else kernels.gemm(rows, input, output, dy, output, 1, w, 1, output, dx, input, add, scratch);
  }

  /** x [rows, hidden] = the embeddings of the tokens at `tokens`. */
  embed(tokens: Address, x: Address, rows: number): void {
    const { embedding } = this.layout;
    const { hiddenSize } = this.model.config;
    const { kernels } = this;
    if (embedding.half) kernels.gatherHalf(this.weight(embedding), tokens, x, rows, hiddenSize);
    else kernels.gatherRows(this.weight(embedding), tokens, x, rows, hiddenSize);
  }

  /** y [rows, output] += the layer's bias, where it has one. */
  addBias(layer: number, module: LinearModule, rows: number, y: Address): void {
    const bias = this.layout.layers[layer]!.bias[module];
    if (bias) this.kernels.addToRows(y, this.weight(bias), rows, bias.shape[0]);
  }

  /** y += scale (x A) B; h [rows, rank] keeps scale (x A). */
  adapt(
    adapter: AdapterView,
    layer: number,
    module: LinearModule,
    rows: number,
    x: Address,
    h: Address,
    y: Address,
  ): void {
    const { rank, scale } = adapter;
    const [input, output] = this.layout.layers[layer]!.linear[module].shape as readonly [number, number];
    const { a, b } = this.lora(adapter, layer, module);
    this.kernels.gemm(rows, rank, input, x, input, 1, a, rank, 1, h, rank, 0, this.scratch);
    this.kernels.scale(h, scale, rows * rank);
    this.kernels.gemm(rows, output, rank, h, rank, 1, b, output, 1, y, output, 1, this.scratch);
  }

  /** Another thread may have let the memory grow: `grow(0)` makes this thread see its present size. */
  private buffer(end: number): ArrayBufferLike {
    if (this.model.memory.buffer.byteLength < end) this.model.memory.grow(0);
    return this.model.memory.buffer;
  }
}
