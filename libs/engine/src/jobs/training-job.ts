import type { TrainEvent } from '../protocol/train.js';
import type { SequenceTree } from '../training/sequence-tree.js';
import type { KeepingTrainer, StepOptions } from '../training/trainer.js';
import type { KeptSteps } from './kept-steps.js';

/** A job whose data is tokens: what it needs can be counted before any of it is computed. */
export interface TrainingJob {
  options: StepOptions;
  /** The trees of each optimiser step. */
  rows: readonly SequenceTree[][];
  started: TrainEvent;
  /** All events after `started`. */
  steps<State>(trainer: KeepingTrainer<State>, kept: KeptSteps<State>): AsyncGenerator<TrainEvent>;
}
