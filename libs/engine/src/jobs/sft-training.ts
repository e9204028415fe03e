import type { ModelConfig } from '../model/model-config.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { SftExample, StepMetrics, TrainData, TrainEvent } from '../protocol/train.js';
import { type AssistantSpans, assistantSpans } from '../text/assistant-spans.js';
import { DivergenceGuard } from '../training/divergence-guard.js';
import { type SftBatch, sftBatches } from '../training/sft-batches.js';
import { UnwrittenReasoning } from '../training/unwritten-reasoning.js';
import { resolveSftConfig } from '../training/sft-config.js';
import { addSftSums, noSftSums } from '../training/sft-loss.js';
import type { KeepingTrainer, StepOptions, Trainer } from '../training/trainer.js';
import type { BaseTexts } from '../text/base-texts.js';
import type { KeptSteps } from './kept-steps.js';
import { means } from './rl-training.js';
import type { TrainingJob } from './training-job.js';

/** Training API contract, section 5. */
export const SFT_OPTIONS: StepOptions = {
  settings: { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0 },
  maxGradientNorm: 1,
};

/** Supervised fine-tuning: one optimiser step for each batch, on the assistant's tokens only. */
export async function sftTraining(
  { tokenizer, template }: BaseTexts,
  { contextLength, endTokenIds }: Pick<ModelConfig, 'contextLength' | 'endTokenIds'>,
  data: Extract<TrainData, { kind: 'sft' }>,
): Promise<TrainingJob> {
  const config = resolveSftConfig(data.config);
  const options = { turns: config.assistantTurns, endTokenIds };
  const reasoning = new UnwrittenReasoning(template);
  const tokenize = (example: SftExample): AssistantSpans => {
    reasoning.look(example);
    return assistantSpans(tokenizer, template, example, options);
  };
  const batches = await sftBatches(data.examples, config, tokenize, contextLength);
  const total = (key: 'trajectories' | 'dropped' | 'truncated' | 'trainableTokens') =>
    batches.reduce((sum, batch) => sum + batch[key], 0);
  const metrics = {
    num_trajectories: total('trajectories'),
    num_trainable_tokens: total('trainableTokens'),
    num_dropped_trajectories: total('dropped'),
    num_truncated_trajectories: total('truncated'),
  };
  const warnings = [...warningsOf(metrics, contextLength), ...reasoning.warnings()];
  return {
    options: SFT_OPTIONS,
    rows: batches.map(({ trees }) => trees),
    started: { type: 'started', numSequences: batches.length, warnings, metrics },
    steps: (trainer, kept) => steps(trainer, batches, metrics, kept),
  };
}

async function* steps<State>(
  trainer: KeepingTrainer<State>,
  batches: SftBatch[],
  metrics: { num_trajectories: number } & StepMetrics,
  kept: KeptSteps<State>,
): AsyncGenerator<TrainEvent> {
  const guard = new DivergenceGuard(kept.done);
  const all = yield* kept.run(batches, trainer, (batch) => step(trainer, batch, guard));
  const reason =
    metrics.num_trajectories > 0 ? null : 'Nothing to train on: no example has anything to learn that fits.';
  yield { type: 'ended', metrics: { ...means(all), ...metrics }, reason };
}

async function step(trainer: Trainer, batch: SftBatch, guard: DivergenceGuard): Promise<StepMetrics> {
  const start = performance.now();
  const { learningRate, trainableTokens } = batch;
  let loss = 0;
  let norm: number | null = 0;
  // A batch of which nothing is left is a step that learns nothing.
  if (trainableTokens > 0) {
    const gradient = await trainer.gradient(batch.trees, { type: 'sft', normalizer: trainableTokens });
    const sums = gradient.parts.map((part) => part.sums).reduce(addSftSums, noSftSums());
    ({ loss } = sums);
    ({ norm } = gradient);
    await trainer.learn(learningRate, norm);
    const { maxAbsLogprob } = sums;
    const adapterToBase = trainer.outweighs();
    const problem = guard.check({ learningRate, loss, gradNorm: norm, maxAbsLogprob, adapterToBase });
    if (problem) throw new EngineError('diverged', problem);
  }
  return {
    loss,
    learning_rate: learningRate,
    ...(norm === null ? {} : { grad_norm: norm }),
    num_trajectories: batch.trajectories,
    num_tokens: batch.tokens,
    num_trainable_tokens: trainableTokens,
    num_dropped_trajectories: batch.dropped,
    tokens_per_second: batch.tokens / ((performance.now() - start) / 1000),
  };
}

function warningsOf(
  counts: { num_dropped_trajectories: number; num_truncated_trajectories: number },
  contextLength: number,
): string[] {
  const warnings: string[] = [];
  const { num_dropped_trajectories: dropped, num_truncated_trajectories: truncated } = counts;
  if (dropped > 0) warnings.push(`${dropped} of the examples had nothing to learn within ${contextLength} tokens.`);
  if (truncated > 0) warnings.push(`${truncated} of the examples were cut at ${contextLength} tokens.`);
  return warnings;
}
