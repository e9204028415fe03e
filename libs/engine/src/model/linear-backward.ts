import type { Address } from '../tensor/kernels.js';
import type { AdapterView, Compute } from './compute.js';
import type { LinearModule } from './model-config.js';
import type { PassBuffers } from './pass.buffers.js';

/** Where gradients are added, each block laid out as the weights that it belongs to. */
export interface GradientSink {
  /** Of the adapter, or 0. */
  adapter: Address;
  /** Of the base model's trainable weights, or 0. */
  base: Address;
}

/** The way back through linear layers and their LoRA: from the gradient dy [rows, output] of what a layer gave. */
export class LinearBackward {
  constructor(
    private readonly compute: Compute,
    private readonly buffers: PassBuffers,
    private readonly adapter: AdapterView | null,
    private readonly sink: GradientSink,
  ) {}

  /** Both of the ways below, for a layer's input x [rows, input]. */
  run(
    layer: number,
    module: LinearModule,
    rows: number,
    x: Address,
    dy: Address,
    dx: Address,
    accumulate: boolean,
  ): void {
    this.toInput(layer, module, rows, dy, dx, accumulate);
    this.toWeights(layer, module, rows, x, dy);
  }

  /** dx = or += dy W^T, unless dx is 0; leaves in `dLora` what {@link toWeights} takes. */
  toInput(layer: number, module: LinearModule, rows: number, dy: Address, dx: Address, accumulate: boolean): void {
    const { compute, buffers, adapter } = this;
    const { kernels, scratch } = compute;
    const place = compute.layout.layers[layer]!.linear[module];
    const [input, output] = place.shape as readonly [number, number];
    if (dx) compute.multiplyBack(rows, place, dy, dx, accumulate);
    if (!adapter || !this.sink.adapter) return;
    const { rank, scale } = adapter;
    const { a, b } = compute.lora(adapter, layer, module);
    kernels.gemm(rows, rank, output, dy, output, 1, b, 1, output, buffers.dLora, rank, 0, scratch);
    kernels.scale(buffers.dLora, scale, rows * rank);
    if (dx) kernels.gemm(rows, input, rank, buffers.dLora, rank, 1, a, 1, rank, dx, input, 1, scratch);
  }

  /** Adds the gradients of the layer's weights, for its input x. */
  toWeights(layer: number, module: LinearModule, rows: number, x: Address, dy: Address): void {
    const { compute, buffers, adapter, sink } = this;
    const { kernels, scratch } = compute;
    const place = compute.layout.layers[layer]!.linear[module];
    const [input, output] = place.shape as readonly [number, number];
    if (sink.base) {
      const gradient = sink.base + place.offset * 4;
      kernels.gemm(input, output, rows, x, 1, input, dy, output, 1, gradient, output, 1, scratch);
      const bias = compute.layout.layers[layer]!.bias[module];
      if (bias) kernels.addRowSums(sink.base + bias.offset * 4, dy, rows, output);
    }
    if (!adapter || !sink.adapter) return;
    const { rank } = adapter;
    const h = buffers.layers[layer]!.lora[module];
    const gradient = compute.lora({ ...adapter, address: sink.adapter }, layer, module);
    kernels.gemm(rank, output, rows, h, 1, rank, dy, output, 1, gradient.b, output, 1, scratch);
    kernels.gemm(input, rank, rows, x, 1, input, buffers.dLora, rank, 1, gradient.a, rank, 1, scratch);
  }
}
