import type { TargetScores } from '../training/sequence-tree.js';
import type { Address } from '../tensor/kernels.js';
import type { BatchPlan, Segment } from './batch-plan.js';
import type { AdapterView, Compute } from './compute.js';
import type { LinearModule } from './model-config.js';
import type { PassBuffers } from './pass.buffers.js';

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
    compute.integers(buffers.tokens, plan.rows).set(plan.tokens);
    compute.integers(buffers.positions, plan.rows).set(plan.positions);
    compute.integers(buffers.targetRows, plan.targetRows.length).set(plan.targetRows);
    compute.integers(buffers.targetTokens, plan.targetTokens.length).set(plan.targetTokens);
    const first = buffers.layers[0]!.input;
    kernels.gatherRows(compute.weight(layout.embedding), buffers.tokens, first, plan.rows, hiddenSize);
    for (let layer = 0; layer < layers; layer++) {
      this.checkpoint();
      this.attention(layer);
      this.feedForward(layer);
    }
    const norm = compute.weight(layout.finalNorm);
    kernels.rmsNorm(buffers.output, norm, buffers.normed, buffers.outputInverse, plan.rows, hiddenSize, normEpsilon);
    return this.score();
  }

  private attention(layer: number): void {
    const { compute, plan, buffers } = this;
    const { kernels } = compute;
    const { heads, keyValueHeads, headSize, hiddenSize, normEpsilon } = compute.model.config;
    const { input, middle, inputInverse, q, k, v, attended } = buffers.layers[layer]!;
    const norm = compute.weight(compute.layout.layers[layer]!.inputNorm);
    kernels.rmsNorm(input, norm, buffers.normed, inputInverse, plan.rows, hiddenSize, normEpsilon);
    this.linear(layer, 'self_attn.q_proj', buffers.normed, q);
    this.linear(layer, 'self_attn.k_proj', buffers.normed, k);
    this.linear(layer, 'self_attn.v_proj', buffers.normed, v);
    const { cos, sin } = compute.model;
    kernels.rotate(q, buffers.positions, plan.rows, heads, headSize, cos, sin, 1, 1 / Math.sqrt(headSize));
    kernels.rotate(k, buffers.positions, plan.rows, keyValueHeads, headSize, cos, sin, 1, 1);
    for (const segment of plan.segments) {
      const past = pastOf(compute, buffers, segment, k, v);
      const at = segment.start * heads * headSize * 4;
      kernels.attend(
        segment.length,
        segment.prefixLength + segment.length,
        heads,
        keyValueHeads,
        headSize,
        q + at,
        past.keys,
        past.values,
        attended + at,
        buffers.scores,
        compute.scratch,
      );
    }
    kernels.copy(middle, input, plan.rows * hiddenSize);
    this.linear(layer, 'self_attn.o_proj', attended, middle, true);
  }

  private feedForward(layer: number): void {
    const { compute, plan, buffers } = this;
    const { kernels } = compute;
    const { feedForwardSize, hiddenSize, normEpsilon } = compute.model.config;
    const { middle, middleInverse, gate, up } = buffers.layers[layer]!;
    const norm = compute.weight(compute.layout.layers[layer]!.attentionNorm);
    kernels.rmsNorm(middle, norm, buffers.normed, middleInverse, plan.rows, hiddenSize, normEpsilon);
    this.linear(layer, 'mlp.gate_proj', buffers.normed, gate);
    this.linear(layer, 'mlp.up_proj', buffers.normed, up);
    kernels.swiglu(gate, up, buffers.wide, plan.rows * feedForwardSize);
    const next = buffers.layers[layer + 1]?.input ?? buffers.output;
    kernels.copy(next, middle, plan.rows * hiddenSize);
    this.linear(layer, 'mlp.down_proj', buffers.wide, next, true);
  }

  private linear(layer: number, module: LinearModule, x: Address, y: Address, accumulate = false): void {
    const { compute, plan, buffers, adapter } = this;
    compute.multiply(plan.rows, compute.layout.layers[layer]!.linear[module], x, y, accumulate);
    if (adapter) compute.adapt(adapter, layer, module, plan.rows, x, buffers.layers[layer]!.lora[module], y);
  }

  private score(): TargetScores {
    const { compute, plan, buffers } = this;
    const { hiddenSize, vocabularySize } = compute.model.config;
    const targets = plan.targetRows.length;
    compute.kernels.gatherRows(buffers.normed, buffers.targetRows, buffers.selected, targets, hiddenSize);
    for (let start = 0; start < targets; start += buffers.logitRows) {
      const count = Math.min(buffers.logitRows, targets - start);
      compute.multiply(count, compute.layout.head, buffers.selected + start * hiddenSize * 4, buffers.logits);
      const at = start * 4;
      compute.kernels.scoreTargets(
        buffers.logits,
        buffers.targetTokens + at,
        buffers.logprobs + at,
        buffers.entropies + at,
        count,
        vocabularySize,
      );
    }
    return {
      logprobs: compute.floats(buffers.logprobs, targets).slice(),
      entropies: compute.floats(buffers.entropies, targets).slice(),
    };
  }
}

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
