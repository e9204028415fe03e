import type { Address } from '../tensor/kernels.js';
import { headsOf, prepareHeadsBackward } from './attention-heads.js';
import type { BatchPlan } from './batch-plan.js';
import type { AdapterView, Compute } from './compute.js';
import { isLast, pastOf, rowsAfterAttention } from './forward-pass.js';
import { type GradientSink, LinearBackward } from './linear-backward.js';
import type { PassBuffers } from './pass.buffers.js';
import { TargetHead } from './target-head.js';

/** The way back of a {@link ForwardPass}: dLoss/dlogprob of each target to gradients of weights. */
export class BackwardPass {
  private readonly rows: number;
  private readonly hidden: number;
  private readonly head: TargetHead;
  private readonly linear: LinearBackward;

  constructor(
    private readonly compute: Compute,
    private readonly plan: BatchPlan,
    private readonly buffers: PassBuffers,
    adapter: AdapterView | null,
    private readonly sink: GradientSink,
    /** Fills a layer's buffers again, where the forward pass kept only its input. */
    private readonly recompute: ((layer: number) => void) | null,
    private readonly checkpoint: () => void = () => undefined,
  ) {
    this.rows = plan.rows;
    this.hidden = compute.model.config.hiddenSize;
    this.head = new TargetHead(compute, plan, buffers);
    this.linear = new LinearBackward(compute, buffers, adapter, sink);
  }

  run(gradient: Float32Array): void {
    const { compute, plan, buffers, rows, hidden } = this;
    const { kernels, layout } = compute;
    const { layers } = compute.model.config;
    this.head.backward(gradient, this.sink.base);
    const kept = plan.keptRows.length;
    kernels.fill(buffers.dx, kept * hidden);
    kernels.rmsNormBackward(
      buffers.output,
      compute.weight(layout.finalNorm),
      buffers.outputInverse,
      buffers.dNormed,
      buffers.dx,
      this.base(layout.finalNorm.offset),
      kept,
      hidden,
    );
    for (let layer = layers - 1; layer >= 0; layer--) {
      this.checkpoint();
      // The last layer's are still there.
      if (!isLast(compute, layer)) this.recompute?.(layer);
      this.feedForward(layer);
      this.attention(layer);
    }
    if (!this.sink.base) return;
    const embedding = this.base(layout.embedding.offset);
    kernels.scatterAddRows(buffers.dx, buffers.tokens, embedding, rows, hidden);
  }

  private feedForward(layer: number): void {
    const { compute, plan, buffers, hidden } = this;
    const { kernels } = compute;
    const rows = rowsAfterAttention(compute, plan, layer);
    const width = rows * compute.model.config.feedForwardSize;
    const places = compute.layout.layers[layer]!;
    const { middle, middleInverse, gate, up } = buffers.layers[layer]!;
    // The gradient of the down projection's input goes to `dUp`, until that of `up` takes its place; `wide` is that input.
    this.linear.toInput(layer, 'mlp.down_proj', rows, buffers.dx, buffers.dUp, false);
    kernels.swigluBackward(gate, up, buffers.dUp, buffers.dGate, buffers.dUp, buffers.wide, width);
    this.linear.toWeights(layer, 'mlp.down_proj', rows, buffers.wide, buffers.dx);
    this.norm(middle, places.attentionNorm, middleInverse, rows);
    this.linear.run(layer, 'mlp.gate_proj', rows, buffers.normed, buffers.dGate, buffers.dNormed, false);
    this.linear.run(layer, 'mlp.up_proj', rows, buffers.normed, buffers.dUp, buffers.dNormed, true);
    kernels.rmsNormBackward(
      middle,
      compute.weight(places.attentionNorm),
      middleInverse,
      buffers.dNormed,
      buffers.dx,
      this.base(places.attentionNorm.offset),
      rows,
      hidden,
    );
  }

  private attention(layer: number): void {
    const { compute, buffers, rows, hidden } = this;
    const { kernels } = compute;
    const { keyValueHeads, headSize } = compute.model.config;
    const places = compute.layout.layers[layer]!;
    const { input, inputInverse } = buffers.layers[layer]!;
    this.attended(layer);
    kernels.fill(buffers.dk, rows * keyValueHeads * headSize);
    kernels.fill(buffers.dv, rows * keyValueHeads * headSize);
    this.attentionSegments(layer);
    const { q: dq, k: dk } = prepareHeadsBackward(
      compute,
      this.plan,
      buffers,
      layer,
      { q: buffers.dq, k: buffers.dk },
      this.sink.base,
    );
    this.norm(input, places.inputNorm, inputInverse, rows);
    // Nothing below the first layer learns unless the base model does.
    const needsInput = layer > 0 || this.sink.base !== 0;
    const dNormed = needsInput ? buffers.dNormed : 0;
    this.linear.run(layer, 'self_attn.q_proj', rows, buffers.normed, dq, dNormed, false);
    this.linear.run(layer, 'self_attn.k_proj', rows, buffers.normed, dk, dNormed, true);
    this.linear.run(layer, 'self_attn.v_proj', rows, buffers.normed, buffers.dv, dNormed, true);
    if (!needsInput) return;
    kernels.rmsNormBackward(
      input,
      compute.weight(places.inputNorm),
      inputInverse,
      buffers.dNormed,
      buffers.dx,
      this.base(places.inputNorm.offset),
      rows,
      hidden,
    );
  }

  /** Leaves the gradients of attention's output in `dAttended` and of the layer's input in `dx`, for all rows. */
  private attended(layer: number): void {
    const { compute, plan, buffers, rows, hidden } = this;
    const { kernels } = compute;
    const { heads, headSize } = compute.model.config;
    const { attended } = buffers.layers[layer]!;
    if (!isLast(compute, layer)) {
      this.linear.run(layer, 'self_attn.o_proj', rows, attended, buffers.dx, buffers.dAttended, false);
      return;
    }
    const kept = plan.keptRows.length;
    this.linear.run(layer, 'self_attn.o_proj', kept, attended, buffers.dx, buffers.dq, false);
    this.spread(buffers.dq, buffers.dAttended, heads * headSize);
    kernels.copy(buffers.dNormed, buffers.dx, kept * hidden);
    this.spread(buffers.dNormed, buffers.dx, hidden);
  }

  /** The kept rows to their places among all rows, whose others are zero. */
  private spread(kept: Address, all: Address, width: number): void {
    const { kernels } = this.compute;
    kernels.fill(all, this.rows * width);
    kernels.scatterAddRows(kept, this.buffers.keptRows, all, this.plan.keptRows.length, width);
  }

  private attentionSegments(layer: number): void {
    const { compute, plan, buffers } = this;
    const { heads, keyValueHeads, headSize } = compute.model.config;
    const { v } = buffers.layers[layer]!;
    const { q, k } = headsOf(compute, plan, buffers, layer);
    const width = keyValueHeads * headSize;
    for (const segment of plan.segments) {
      const at = segment.start * heads * headSize * 4;
      const own = segment.start * width * 4;
      const past = pastOf(compute, buffers, segment, k, v);
      const total = segment.prefixLength + segment.length;
      const shared = segment.prefixLength > 0;
      const dKeys = shared ? buffers.dKeys : buffers.dk + own;
      const dValues = shared ? buffers.dValues : buffers.dv + own;
      if (shared) compute.kernels.fill(dKeys, total * width);
      if (shared) compute.kernels.fill(dValues, total * width);
      compute.kernels.attendBackward(
        segment.length,
        total,
        heads,
        keyValueHeads,
        headSize,
        q + at,
        past.keys,
        past.values,
        buffers.dAttended + at,
        buffers.dq + at,
        dKeys,
        dValues,
        buffers.room,
      );
      if (!shared) continue;
      const prefix = segment.prefixStart * width * 4;
      const ownPart = segment.prefixLength * width * 4;
      for (const [to, from] of [
        [buffers.dk, dKeys],
        [buffers.dv, dValues],
      ] as const) {
        compute.kernels.add(to + prefix, from, segment.prefixLength * width);
        compute.kernels.add(to + own, from + ownPart, segment.length * width);
      }
    }
  }

  /** Computes a norm's output again. */
  private norm(x: Address, place: { offset: number }, inverse: Address, rows: number): void {
    const { compute, buffers, hidden } = this;
    const weight = compute.model.weights + place.offset * 4;
    compute.kernels.rmsNorm(x, weight, buffers.normed, inverse, rows, hidden, compute.model.config.normEpsilon);
  }

  /** Address in the base gradient, or 0 where the base doesn't learn. */
  private base(offset: number): Address {
    return this.sink.base ? this.sink.base + offset * 4 : 0;
  }
}
