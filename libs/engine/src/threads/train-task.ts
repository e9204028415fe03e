import type { GradientSink } from '../model/linear-backward.js';
import type { AdapterView } from '../model/compute.js';
import type { SharedModel } from '../model/model-memory.js';
import type { Address } from '../tensor/kernels.js';
import type { RlBranch, RlLossConfig } from '../training/rl-loss.js';
import type { SequenceTree } from '../training/sequence-tree.js';
import type { AdamwSettings, LossResults } from '../training/trainer.js';

/** What a training thread is started with. */
export interface TrainThreadData {
  model: SharedModel;
  scratch: Address;
}

/** A thread's room for passes. */
export interface ArenaView {
  address: Address;
  bytes: number;
}

/** Forward and backward over one shard of a row; the shard's gradient is zeroed first. */
interface GradientTask {
  batches: SequenceTree[][];
  adapter: AdapterView | null;
  sink: GradientSink;
  arena: ArenaView;
  /** Address of an integer that another thread sets to stop this one. */
  stop: Address;
  /** Floats of the gradient. */
  size: number;
}

export type TrainTask =
  | ({ type: 'rl'; batches: SequenceTree<RlBranch>[][]; config: RlLossConfig; normalizer: number } & GradientTask)
  | ({ type: 'sft'; normalizer: number } & GradientTask)
  /** Forward only: scores of all targets. */
  | { type: 'score'; batches: SequenceTree[][]; adapter: AdapterView | null; arena: ArenaView; stop: Address }
  /** Adds the slices of all shards to the first shard's. */
  | { type: 'reduce'; shards: Address[]; offset: number; count: number }
  | {
      type: 'adamw';
      weights: Address;
      gradient: Address;
      m: Address;
      v: Address;
      offset: number;
      count: number;
      settings: AdamwSettings;
      step: number;
      learningRate: number;
      clip: number;
    };

export interface TrainResults extends LossResults {
  score: { logprobs: Float32Array };
  reduce: { sumSquares: number };
  adamw: Record<string, never>;
}

export type TrainResult<T extends TrainTask['type']> = TrainResults[T];

export type TrainReply =
  | { result: TrainResults[TrainTask['type']] }
  /** `stopped`: by the caller's flag. */
  | { error: string; stopped: boolean };
