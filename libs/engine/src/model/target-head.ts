import type { Address } from '../tensor/kernels.js';
import type { TargetScores } from '../training/sequence-tree.js';
import type { BatchPlan } from './batch-plan.js';
import type { Compute } from './compute.js';
import type { PassBuffers } from './pass.buffers.js';

/** From the last norm's output at the kept rows to what is said about targets, and back. */
export class TargetHead {
  constructor(
    private readonly compute: Compute,
    private readonly plan: BatchPlan,
    private readonly buffers: PassBuffers,
  ) {}

  /** Reads the norm's output in `normed`. */
  score(): TargetScores {
    const { compute, plan, buffers } = this;
    const { hiddenSize } = compute.model.config;
    const targets = plan.targetRows.length;
    compute.integers(buffers.targetRows, targets).set(plan.targetRows);
    compute.integers(buffers.targetTokens, targets).set(plan.targetTokens);
    compute.kernels.gatherRows(buffers.normed, buffers.targetRows, buffers.selected, targets, hiddenSize);
    for (const { count, at, selected } of this.parts()) {
      compute.multiply(count, compute.layout.head, selected, buffers.logits);
      compute.kernels.scoreTargets(
        buffers.logits,
        buffers.targetTokens + at,
        buffers.logprobs + at,
        buffers.entropies + at,
        count,
        compute.model.config.vocabularySize,
      );
    }
    return {
      logprobs: compute.floats(buffers.logprobs, targets).slice(),
      entropies: compute.floats(buffers.entropies, targets).slice(),
    };
  }

  /**
   * Leaves the gradient of the norm's output in `dNormed`.
   * @param gradient of each target's log probability
   * @param base where the gradients of the base model's weights are added, or 0
   */
  backward(gradient: Float32Array, base: Address): void {
    const { compute, plan, buffers } = this;
    const { kernels, layout } = compute;
    const { hiddenSize: hidden, vocabularySize } = compute.model.config;
    compute.floats(buffers.gradient, gradient.length).set(gradient);
    const { logits } = buffers;
    for (const { count, at, selected } of this.parts()) {
      if (buffers.logitRows < gradient.length) compute.multiply(count, layout.head, selected, logits);
      kernels.targetGradient(logits, buffers.targetTokens + at, buffers.gradient + at, count, vocabularySize);
      if (base) this.addWeightGradient(count, selected, base);
      // The hidden states are not needed any more: their gradients take their place.
      compute.multiplyBack(count, layout.head, logits, selected);
    }
    kernels.fill(buffers.dNormed, plan.keptRows.length * hidden);
    kernels.scatterAddRows(buffers.selected, buffers.targetRows, buffers.dNormed, plan.targetRows.length, hidden);
  }

  /** From the gradients of logits; a tied head is the embedding, [vocabulary, hidden]. */
  private addWeightGradient(count: number, selected: Address, base: Address): void {
    const { kernels, layout, scratch, model } = this.compute;
    const { hiddenSize: hidden, vocabularySize: vocabulary, tiedHead } = model.config;
    const { logits } = this.buffers;
    const to = base + (tiedHead ? layout.embedding : layout.head).offset * 4;
    if (tiedHead) {
      kernels.gemm(vocabulary, hidden, count, logits, 1, vocabulary, selected, hidden, 1, to, hidden, 1, scratch);
    } else {
      kernels.gemm(hidden, vocabulary, count, selected, 1, hidden, logits, vocabulary, 1, to, vocabulary, 1, scratch);
    }
  }

  /** Targets whose logits are held at a time: how many, their bytes in lists of targets, and their hidden states. */
  private *parts(): Iterable<{ count: number; at: number; selected: Address }> {
    const { plan, buffers, compute } = this;
    const targets = plan.targetRows.length;
    for (let start = 0; start < targets; start += buffers.logitRows) {
      const count = Math.min(buffers.logitRows, targets - start);
      yield { count, at: start * 4, selected: buffers.selected + start * compute.model.config.hiddenSize * 4 };
    }
  }
}
