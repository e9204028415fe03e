import type { RlLossConfig, RlSums } from './rl-loss.js';
import type { SequenceTree } from './sequence-tree.js';
import type { SftSums } from './sft-loss.js';

export interface AdamwSettings {
  beta1: number;
  beta2: number;
  epsilon: number;
  weightDecay: number;
}

/** How a job wants its steps. */
export interface StepOptions {
  settings: AdamwSettings;
  /** Greatest norm of a gradient; a greater one is scaled down to it. */
  maxGradientNorm: number;
}

/** Which loss of a row, and over how many targets its mean is. */
export type LossTask = { type: 'rl'; config: RlLossConfig; normalizer: number } | { type: 'sft'; normalizer: number };

/** What is known of a part of a row whose gradient was computed; those of all parts add up to the row's. */
export interface LossResults {
  rl: { sums: RlSums };
  sft: { sums: SftSums };
}

/** The gradient that a trainer holds now. */
export interface RowGradient<L extends LossTask['type']> {
  parts: LossResults[L][];
  /** null where the trainer doesn't tell. */
  norm: number | null;
}

/** An adapter that learns, wherever its weights are. */
export interface Trainer {
  /** Gradient of the loss of a row. Nothing is learnt yet. */
  gradient<L extends LossTask>(row: SequenceTree[], loss: L): Promise<RowGradient<L['type']>>;

  /** One step of AdamW along the gradient just computed. @param norm of that gradient */
  learn(learningRate: number, norm: number | null): Promise<void>;

  /** Log probabilities of a row's targets in their order, under this adapter or under the reference. */
  score(row: SequenceTree[], under: 'adapter' | 'reference'): Promise<Float32Array>;

  /** Norm of all that the adapter adds to the base model's matrices over the norm of those; null where nobody knows. */
  outweighs(): number | null;
}

/** A trainer whose state can be kept in a directory, and taken up again. */
export interface KeepingTrainer<State> extends Trainer {
  /** Makes a directory of the weights and the optimiser's state, whole or not at all. */
  save(directory: string): Promise<void>;

  restore(state: State): Promise<void> | void;
}
