import type { TargetScores } from '../training/sequence-tree.js';
import type { Address } from '../tensor/kernels.js';
import { prepareHeads } from './attention-heads.js';
import type { BatchPlan, Segment } from './batch-plan.js';
import type { AdapterView, Compute } from './compute.js';
import type { LinearModule } from './model-config.js';
import type { PassBuffers } from './pass.buffers.js';
import { TargetHead } from './target-head.js';

/** A batch's way through the decoder; leaves in the buffers what the backward pass needs. */
export class ForwardPass {
  constructor(
    private readonly compute: Compute,
    private readonly plan: BatchPlan,
    private readonly buffers: PassBuffers,
    private readonly adapter: AdapterView | null,
    /** Called between layers; throws to stop. */
    private readonly checkpoint: () => void = () => undefined,
  ) {}

  run(): TargetScores {
    const { compute, plan, buffers } = this;
    const { kernels, layout } = compute;
    const { layers, hiddenSize, normEpsilon } = compute.model.config;
    compute.reach(plan.longest);
    compute.integers(buffers.tokens, plan.rows).set(plan.tokens);
    compute.integers(buffers.positions, plan.rows).set(plan.positions);
    compute.integers(buffers.keptRows, plan.keptRows.length).set(plan.keptRows);
    const first = buffers.layers[0]!.input;
    compute.embed(buffers.tokens, first, plan.rows);
    for (let layer = 0; layer < layers; layer++) {
      this.checkpoint();
      this.layer(layer);
    }
    const norm = compute.weight(layout.finalNorm);
    const rows = plan.keptRows.length;
    kernels.rmsNorm(buffers.output, norm, buffers.normed, buffers.outputInverse, rows, hiddenSize, normEpsilon);
    return new TargetHead(compute, plan, buffers).score();
  }

  /** From a layer's input to the next one's. */
  layer(layer: number): void {
    this.attention(layer);
    this.feedForward(layer);
  }

  private attention(layer: number): void {
    const { compute, plan, buffers } = this;
    const { kernels } = compute;
    const { heads, keyValueHeads, headSize, hiddenSize, normEpsilon } = compute.model.config;
    const { input, middle, inputInverse, q, k, v, attended } = buffers.layers[layer]!;
    const norm = compute.weight(compute.layout.layers[layer]!.inputNorm);
    kernels.rmsNorm(input, norm, buffers.normed, inputInverse, plan.rows, hiddenSize, normEpsilon);
    this.linear(layer, 'self_attn.q_proj', plan.rows, buffers.normed, q);
    this.linear(layer, 'self_attn.k_proj', plan.rows, buffers.normed, k);
    this.linear(layer, 'self_attn.v_proj', plan.rows, buffers.normed, v);
    const own = { q, k };
    const taken = buffers.normedHeads ?? own;
    prepareHeads(compute, layer, plan.rows, buffers.positions, own, taken, buffers.headInverse);
    for (const segment of plan.segments) {
      const past = pastOf(compute, buffers, segment, taken.k, v);
      const at = segment.start * heads * headSize * 4;
      kernels.attend(
        segment.length,
        segment.prefixLength + segment.length,
        heads,
        keyValueHeads,
        headSize,
        taken.q + at,
        past.keys,
        past.values,
        attended + at,
        buffers.room,
      );
    }
    if (isLast(compute, layer)) {
      const kept = plan.keptRows.length;
      kernels.gatherRows(input, buffers.keptRows, middle, kept, hiddenSize);
      // They ascend, so each moves to its own place or to one before it.
      kernels.gatherRows(attended, buffers.keptRows, attended, kept, heads * headSize);
    } else {
      kernels.copy(middle, input, plan.rows * hiddenSize);
    }
    this.linear(layer, 'self_attn.o_proj', rowsAfterAttention(compute, plan, layer), attended, middle, true);
  }

  private feedForward(layer: number): void {
    const { compute, plan, buffers } = this;
    const { kernels } = compute;
    const { feedForwardSize, hiddenSize, normEpsilon } = compute.model.config;
    const { middle, middleInverse, gate, up } = buffers.layers[layer]!;
    const rows = rowsAfterAttention(compute, plan, layer);
    const norm = compute.weight(compute.layout.layers[layer]!.attentionNorm);
    kernels.rmsNorm(middle, norm, buffers.normed, middleInverse, rows, hiddenSize, normEpsilon);
    this.linear(layer, 'mlp.gate_proj', rows, buffers.normed, gate);
    this.linear(layer, 'mlp.up_proj', rows, buffers.normed, up);
    kernels.swiglu(gate, up, buffers.wide, rows * feedForwardSize);
    const next = buffers.layers[layer + 1]?.input ?? buffers.output;
    kernels.copy(next, middle, rows * hiddenSize);
    this.linear(layer, 'mlp.down_proj', rows, buffers.wide, next, true);
  }

  private linear(layer: number, module: LinearModule, rows: number, x: Address, y: Address, accumulate = false): void {
    const { compute, buffers, adapter } = this;
    compute.multiply(rows, compute.layout.layers[layer]!.linear[module], x, y, accumulate);
    compute.addBias(layer, module, rows, y);
    if (adapter) compute.adapt(adapter, layer, module, rows, x, buffers.layers[layer]!.lora[module], y);
  }
}

export const isLast = (compute: Compute, layer: number): boolean => layer === compute.model.config.layers - 1;

/** Attention is over all rows in every layer; what comes after it in the last one, only for the rows that predict. */
export const rowsAfterAttention = (compute: Compute, plan: BatchPlan, layer: number): number =>
  isLast(compute, layer) ? plan.keptRows.length : plan.rows;

/**
 * Keys and values that a segment attends to, side by side: sums over positions then run in the order in which a
 * sequence without a shared prefix has them.
 */
export function pastOf(
  compute: Compute,
  buffers: PassBuffers,
  segment: Segment,
  k: Address,
  v: Address,
): { keys: Address; values: Address } {
  const width = compute.model.config.keyValueHeads * compute.model.config.headSize;
  const own = segment.start * width * 4;
  if (segment.prefixLength === 0) return { keys: k + own, values: v + own };
  const prefix = segment.prefixStart * width * 4;
  for (const [from, to] of [
    [k, buffers.keys],
    [v, buffers.values],
  ] as const) {
    compute.kernels.copy(to, from + prefix, segment.prefixLength * width);
    compute.kernels.copy(to + segment.prefixLength * width * 4, from + own, segment.length * width);
  }
  return { keys: buffers.keys, values: buffers.values };
}
