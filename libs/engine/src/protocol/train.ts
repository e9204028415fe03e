import type { ChatMessage, Choice, TemplateContext } from './chat.js';
import type { RlConfig } from './rl-config.schema.js';
import type { SftConfig } from './sft-config.schema.js';

export interface History extends TemplateContext {
  messages_and_choices: (ChatMessage | Choice)[];
  /** Where each of them was sent, below the trajectory, where that is another place than this one: for errors. */
  places?: string[];
}

/** One episode; everything else that a client sends with it is for the log, not for the engine. */
export interface Trajectory extends History {
  additional_histories?: History[] | null;
  reward: number;
  /** Answers that are not among the histories, each by why it can't be trained on. */
  refused?: string[];
  /** Histories that begin alike train what they share once, and only what was sampled. */
  trainedOnce?: boolean;
}

export interface TrajectoryGroup {
  trajectories: Trajectory[];
  /** How many rollouts of the group ended in an exception. */
  exceptions: number;
}

export interface SftExample extends TemplateContext {
  messages: ChatMessage[];
  /** Indices of the assistant's messages that are context and not learnt. */
  untrained?: readonly number[];
}

/** Groups and examples come one by one, so that a job of 100 MB is never in memory as a whole. */
export type TrainData =
  | { kind: 'rl'; groups: AsyncIterable<TrajectoryGroup> | Iterable<TrajectoryGroup>; config: RlConfig }
  | { kind: 'sft'; examples: AsyncIterable<SftExample> | Iterable<SftExample>; config: SftConfig };

export interface AdapterShape {
  /** LoRA rank r; default: the base model's, which is 8 where nobody says otherwise. */
  readonly rank?: number;
  /** LoRA alpha: the update is scaled by alpha / r. Default: the base model's, whatever the rank; 2 r where nobody says. */
  readonly alpha?: number;
}

export interface TrainRequest {
  /** Id of the base model. */
  base: string;
  /** Directory of the adapter to go on from, with its optimiser state where it has one; null starts a fresh adapter. */
  from: string | null;
  /** Directory to write: adapter_config.json, adapter_model.safetensors, optimizer.safetensors. It must not exist. */
  to: string;
  /**
   * Directory for what the job has learnt so far, kept from time to time: the same request goes on from there when it is made
   * again, and tells the steps that are done once more. It must not serve two requests that differ. Absent: nothing is kept.
   */
  state?: string;
  /** Directory of the adapter that a KL penalty compares with; default: the base model. */
  klReference?: string | null;
  /** Of the fresh adapter's weights and of dropout-like choices: the same seed gives the same weights. */
  seed: number;
  /** Only for a fresh adapter. */
  shape?: AdapterShape;
  data: TrainData;
}

/** Flat map of metric name to finite number. */
export type StepMetrics = Record<string, number>;

export type TrainEvent =
  | { type: 'started'; /** Gradient steps to come. */ numSequences: number; warnings: string[]; metrics: StepMetrics }
  | { type: 'step'; /** From 0. */ index: number; metrics: StepMetrics }
  | { type: 'ended'; metrics: StepMetrics; /** Why nothing was trained, where nothing was. */ reason: string | null };
