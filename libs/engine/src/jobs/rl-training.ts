import type { ModelConfig } from '../model/model-config.js';
import type { ChatMessage, TemplateContext } from '../protocol/chat.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { StepMetrics, TrainData, TrainEvent } from '../protocol/train.js';
import { assistantSpans } from '../text/assistant-spans.js';
import type { ChoiceTokens } from '../training/choice-tokens.js';
import { DivergenceGuard } from '../training/divergence-guard.js';
import { withKlPenalty } from '../training/kl-penalty.js';
import { rowLearningRate } from '../training/learning-rate.js';
import { type ResolvedRlConfig, resolveRlConfig } from '../training/rl-config.js';
import { prepareRlJob, type RlJob } from '../training/rl-job.js';
import { addRlSums, noRlSums, type RlBranch, withPrecalculatedLogprobs } from '../training/rl-loss.js';
import { treeTokens } from '../training/row-packing.js';
import type { SequenceTree } from '../training/sequence-tree.js';
import type { KeepingTrainer, StepOptions, Trainer } from '../training/trainer.js';
import { encodeChat } from '../text/chat-template.js';
import type { BaseTexts } from '../text/base-texts.js';
import type { KeptSteps } from './kept-steps.js';
import type { TrainingJob } from './training-job.js';

type Row = SequenceTree<RlBranch>[];

/** Training API contract, section 4. */
export const RL_OPTIONS: StepOptions = {
  settings: { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1 },
  maxGradientNorm: 0.1,
};

/** Reinforcement learning: one optimiser step for each packed row. */
export async function rlTraining(
  texts: BaseTexts,
  { contextLength, vocabularySize, endTokenIds }: Pick<ModelConfig, 'contextLength' | 'vocabularySize' | 'endTokenIds'>,
  data: Extract<TrainData, { kind: 'rl' }>,
): Promise<TrainingJob> {
  const { warnings, ...config } = resolveRlConfig(data.config);
  const job = await prepareRlJob(data.groups, config, {
    contextLength,
    vocabularySize,
    encodePrompt: (messages, { tools, templateVariables }) => [
      ...encodeChat(texts.tokenizer, texts.template, messages, tools, templateVariables),
    ],
    encodeTurn: (messages, context) => lastTurn(texts, endTokenIds, messages, context),
  });
  const { rows, metrics } = job;
  return {
    options: RL_OPTIONS,
    rows,
    started: { type: 'started', numSequences: rows.length, warnings: [...warnings, ...job.warnings], metrics },
    steps: (trainer, kept) => steps(trainer, job, config, kept),
  };
}

async function* steps<State>(
  trainer: KeepingTrainer<State>,
  job: RlJob,
  config: ResolvedRlConfig,
  kept: KeptSteps<State>,
): AsyncGenerator<TrainEvent> {
  const rows = config.precalculateLogprobs ? await recalculate(trainer, job.rows) : job.rows;
  const guard = new DivergenceGuard(kept.done);
  const all = yield* kept.run(rows, trainer, (row) => step(trainer, row, config, guard));
  yield { type: 'ended', metrics: { ...job.metrics, ...means(all) }, reason: job.reason };
}

function lastTurn(
  { tokenizer, template }: BaseTexts,
  endTokenIds: number[],
  messages: ChatMessage[],
  context: TemplateContext,
): Omit<ChoiceTokens, 'logprobs'> {
  const options = { turns: 'last', endTokenIds } as const;
  const { tokens, targets } = assistantSpans(tokenizer, template, { messages, ...context }, options);
  const start = targets[0] ?? tokens.length;
  return { prompt: [...tokens.subarray(0, start)], completion: Array.from(targets, (target) => tokens[target]!) };
}

async function step(
  trainer: Trainer,
  row: Row,
  config: ResolvedRlConfig,
  guard: DivergenceGuard,
): Promise<StepMetrics> {
  const start = performance.now();
  const penalised = config.klPenalty ? await penalise(trainer, row, config.klPenalty) : null;
  const normalizer = row.flatMap(({ branches }) => branches).reduce((sum, { targets }) => sum + targets.length, 0);
  const loss = { type: 'rl', config, normalizer } as const;
  const { parts, norm } = await trainer.gradient(penalised?.trees ?? row, loss);
  const sums = parts.map((part) => part.sums).reduce(addRlSums, noRlSums());
  const learningRate = rowLearningRate(config, row);
  await trainer.learn(learningRate, norm);
  const klDivergence = sums.klDivergence / normalizer;
  const problem = guard.check({
    learningRate,
    loss: sums.loss,
    gradNorm: norm,
    maxAbsLogprob: sums.maxAbsLogprob,
    klDivergence,
    adapterToBase: trainer.outweighs(),
  });
  if (problem) throw new EngineError('diverged', problem);
  const tokens = row.reduce((sum, tree) => sum + treeTokens(tree), 0);
  return {
    policy_loss: sums.loss,
    // A trainer elsewhere may tell neither.
    ...(Number.isNaN(sums.entropy) ? {} : { entropy: sums.entropy / normalizer }),
    kl_div: klDivergence,
    ...(norm === null ? {} : { grad_norm: norm }),
    learning_rate: learningRate,
    importance_ratio: sums.ratio / normalizer,
    clip_fraction: sums.clipped / normalizer,
    ...(penalised ? { kl_policy_ref: penalised.meanKl } : {}),
    num_trainable_tokens: normalizer,
    num_tokens: tokens,
    tokens_per_second: tokens / ((performance.now() - start) / 1000),
  };
}

async function penalise(
  trainer: Trainer,
  row: Row,
  penalty: NonNullable<ResolvedRlConfig['klPenalty']>,
): Promise<{ trees: Row; meanKl: number }> {
  const current = await trainer.score(row, 'adapter');
  const reference = await trainer.score(row, 'reference');
  return withKlPenalty(row, current, reference, penalty);
}

/** `precalculate_logprobs`: the weights that the job starts from say what the old log probabilities are. */
async function recalculate(trainer: Trainer, rows: Row[]): Promise<Row[]> {
  const recalculated: Row[] = [];
  for (const row of rows) recalculated.push(withPrecalculatedLogprobs(row, await trainer.score(row, 'adapter')));
  return recalculated;
}

/** Mean of each metric over the steps that have it. */
export function means(steps: StepMetrics[]): StepMetrics {
  const names = [...new Set(steps.flatMap((metrics) => Object.keys(metrics)))];
  return Object.fromEntries(
    names.map((name) => {
      const values = steps.flatMap((metrics) => metrics[name] ?? []);
      return [name, values.reduce((sum, value) => sum + value, 0) / values.length];
    }),
  );
}
