import { Arena } from '../tensor/arena.js';
import type { SequenceTree, TargetScores } from '../training/sequence-tree.js';
import { BackwardPass, type GradientSink } from './backward-pass.js';
import { planBatch } from './batch-plan.js';
import type { AdapterView, Compute } from './compute.js';
import { ForwardPass } from './forward-pass.js';
import type { ModelConfig } from './model-config.js';
import { takeBuffers } from './pass.buffers.js';

/** A finished forward pass: its scores, and the way back. Valid until the next pass in the same arena. */
export interface Pass {
  scores: TargetScores;
  /** Adds the gradients of sum(gradient * logprob). */
  backward(gradient: Float32Array, sink: GradientSink): void;
}

/** Runs training passes of one model in one thread's arena. */
export class Decoder {
  constructor(
    private readonly compute: Compute,
    private readonly arena: Arena,
    private readonly checkpoint: () => void = () => undefined,
  ) {}

  /** Bytes of arena that a pass over these trees takes. */
  static bytes(config: ModelConfig, trees: readonly SequenceTree[], rank: number): number {
    const arena = Arena.counting();
    takeBuffers(arena, config, planBatch(trees), rank);
    return arena.used;
  }

  forward(trees: readonly SequenceTree[], adapter: AdapterView | null): Pass {
    const { compute, arena, checkpoint } = this;
    arena.reset();
    const plan = planBatch(trees);
    const buffers = takeBuffers(arena, compute.model.config, plan, adapter?.rank ?? 0);
    const scores = new ForwardPass(compute, plan, buffers, adapter, checkpoint).run();
    return {
      scores,
      backward: (gradient, sink) => new BackwardPass(compute, plan, buffers, adapter, sink, checkpoint).run(gradient),
    };
  }
}
