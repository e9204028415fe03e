import { Arena } from '../tensor/arena.js';
import type { SequenceTree, TargetScores } from '../training/sequence-tree.js';
import { BackwardPass } from './backward-pass.js';
import { type BatchPlan, planBatch } from './batch-plan.js';
import type { AdapterView, Compute } from './compute.js';
import { ForwardPass } from './forward-pass.js';
import type { GradientSink } from './linear-backward.js';
import type { ModelConfig } from './model-config.js';
import { type Kept, takeBuffers } from './pass.buffers.js';

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

  /** Bytes of arena that a pass over these trees takes, and the least with which it can do. */
  static bytes(config: ModelConfig, trees: readonly SequenceTree[], rank: number): Record<Kept, number> {
    const plan = planBatch(trees);
    return { all: passBytes(config, plan, rank, 'all'), inputs: passBytes(config, plan, rank, 'inputs') };
  }

  forward(trees: readonly SequenceTree[], adapter: AdapterView | null): Pass {
    const { compute, arena, checkpoint } = this;
    arena.reset();
    const plan = planBatch(trees);
    const { config } = compute.model;
    const rank = adapter?.rank ?? 0;
    const kept = passBytes(config, plan, rank, 'all') <= arena.bytes ? 'all' : 'inputs';
    const buffers = takeBuffers(arena, config, plan, rank, kept);
    const pass = new ForwardPass(compute, plan, buffers, adapter, checkpoint);
    const scores = pass.run();
    const recompute = kept === 'all' ? null : (layer: number) => pass.layer(layer);
    return {
      scores,
      backward: (gradient, sink) =>
        new BackwardPass(compute, plan, buffers, adapter, sink, recompute, checkpoint).run(gradient),
    };
  }
}

function passBytes(config: ModelConfig, plan: BatchPlan, rank: number, kept: Kept): number {
  const arena = Arena.counting();
  takeBuffers(arena, config, plan, rank, kept);
  return arena.used;
}
