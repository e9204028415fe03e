import type { ModelConfig } from '../../libs/engine/src/model/model-config.js';
import { ModelMemory, type WeightReader } from '../../libs/engine/src/model/model-memory.js';
import { layoutWeights } from '../../libs/engine/src/model/weights.layout.js';
import { TrainThreads } from '../../libs/engine/src/threads/train-threads.js';
import { splitIntoMicroBatches, treeTokens } from '../../libs/engine/src/training/row-packing.js';
import { splitIntoShards } from '../../libs/engine/src/training/row-sharding.js';
import type { SequenceTree } from '../../libs/engine/src/training/sequence-tree.js';
import { addSftSums, noSftSums } from '../../libs/engine/src/training/sft-loss.js';
import { initialWeights } from './initial-weights.js';
import { Learner, PASS_TOKENS, SHARDS } from '../../libs/engine/src/embedded/learner.js';

export interface FullTrainerOptions {
  threads: number;
  seed: number;
  beta1: number;
  beta2: number;
  weightDecay: number;
  /** Greatest norm of a gradient. */
  clip: number;
}

export interface FullStep {
  /** Mean negative log likelihood of the targets, in nats, before the step. */
  loss: number;
  gradNorm: number;
  tokens: number;
  targets: number;
}

/** Trains all weights of a model from scratch: how the base model that ships is made. */
export class FullTrainer {
  private constructor(
    private readonly model: ModelMemory,
    private readonly threads: TrainThreads,
    private readonly learner: Learner,
  ) {}

  /** With fresh weights. */
  static create(config: ModelConfig, options: FullTrainerOptions): FullTrainer {
    const model = ModelMemory.empty(config);
    initialWeights(model, options.seed);
    return FullTrainer.over(model, options);
  }

  /** With the weights of a model that is there. */
  static async load(config: ModelConfig, weights: WeightReader, options: FullTrainerOptions): Promise<FullTrainer> {
    return FullTrainer.over(await ModelMemory.load(config, weights), options);
  }

  private static over(model: ModelMemory, options: FullTrainerOptions): FullTrainer {
    const threads = new TrainThreads(model, options.threads);
    const settings = { beta1: options.beta1, beta2: options.beta2, epsilon: 1e-8, weightDecay: options.weightDecay };
    const size = layoutWeights(model.config).trainable;
    const learner = new Learner(model, model.tensors, threads, model.view.weights, size, null, {
      settings,
      maxGradientNorm: options.clip,
    });
    return new FullTrainer(model, threads, learner);
  }

  /** One optimiser step; every target counts equally. */
  async step(trees: SequenceTree[], learningRate: number): Promise<FullStep> {
    const targets = countTargets(trees);
    const { parts, norm } = await this.learner.gradient(inShards(trees), { type: 'sft', normalizer: targets });
    await this.learner.learn(learningRate, norm);
    this.model.copyTiedHead();
    const tokens = trees.reduce((sum, tree) => sum + treeTokens(tree), 0);
    const { loss } = parts.map(({ sums }) => sums).reduce(addSftSums, noSftSums());
    return { loss, gradNorm: norm, tokens, targets };
  }

  /** Mean negative log likelihood of the targets, in nats. */
  async evaluate(trees: SequenceTree[]): Promise<{ loss: number }> {
    const scores = await this.learner.score(inShards(trees));
    const sum = scores.flatMap((logprobs) => [...logprobs]).reduce((total, logprob) => total + logprob, 0);
    return { loss: -sum / countTargets(trees) };
  }

  /** By their Hugging Face names, as model.safetensors has them. */
  tensors(): Iterable<{ name: string; shape: number[]; data: Float32Array }> {
    return this.model.exportTensors();
  }

  async close(): Promise<void> {
    await this.threads.close();
  }
}

const countTargets = (trees: SequenceTree[]) =>
  trees.reduce((sum, { branches }) => sum + branches.reduce((n, { targets }) => n + targets.length, 0), 0);

const inShards = (trees: SequenceTree[]) =>
  splitIntoShards(trees, SHARDS).map((shard) => splitIntoMicroBatches(shard, PASS_TOKENS));
