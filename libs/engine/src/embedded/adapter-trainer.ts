import { writeAdapter } from '../files/adapter-directory.js';
import type { Moments, OptimizerState } from '../files/optimizer-file.js';
import type { AdapterView } from '../model/compute.js';
import { LINEAR_MODULES } from '../model/model-config.js';
import type { Allocator } from '../tensor/allocator.js';
import type { TrainThreads } from '../threads/train-threads.js';
import { adapterNorm } from '../training/adapter-norm.js';
import { splitIntoMicroBatches } from '../training/row-packing.js';
import { splitIntoShards } from '../training/row-sharding.js';
import type { SequenceTree } from '../training/sequence-tree.js';
import type { KeepingTrainer, LossTask } from '../training/trainer.js';
import { AdapterMemory } from './adapter-memory.js';
import type { AdapterStart } from './adapter-start.js';
import type { AdapterState } from './adapter-state.js';
import type { BaseModel } from './base-model.js';
import { Learner, type LearnerOptions, PASS_TOKENS, SHARDS } from './learner.js';

/** An adapter that learns, from its files to its files. */
export class AdapterTrainer implements KeepingTrainer<AdapterState> {
  private constructor(
    private readonly base: BaseModel,
    private readonly adapter: AdapterMemory,
    private readonly learner: Learner,
    private readonly reference: AdapterMemory | null,
  ) {}

  /** @param memory where all that it needs is allocated. */
  static open(
    base: BaseModel,
    threads: TrainThreads,
    start: AdapterStart,
    options: LearnerOptions,
    memory: Allocator = base.memory.tensors,
  ): AdapterTrainer {
    const { files, moments } = start;
    const adapter = files
      ? AdapterMemory.load(base.memory, files, memory)
      : AdapterMemory.fresh(base.memory, start.shape, start.seed, memory);
    const { view, layout } = adapter;
    const learner = new Learner(base.memory, memory, threads, view.address, layout.size, view, options);
    const reference = start.reference && AdapterMemory.load(base.memory, start.reference, memory);
    const trainer = new AdapterTrainer(base, adapter, learner, reference);
    trainer.setMoments(moments);
    return trainer;
  }

  /** Goes on from what {@link save} wrote. */
  restore({ files, moments }: AdapterState): void {
    this.adapter.fill(this.adapter.view.address, files.tensors);
    this.setMoments(moments);
  }

  stop(): void {
    this.learner.stop();
  }

  gradient<L extends LossTask>(row: SequenceTree[], loss: L) {
    return this.learner.gradient(
      splitIntoShards(row, SHARDS).map((shard) => splitIntoMicroBatches(shard, PASS_TOKENS)),
      loss,
    );
  }

  learn(learningRate: number, norm: number): Promise<void> {
    return this.learner.learn(learningRate, norm);
  }

  /** Log probabilities of a row's targets in their order, under this adapter or under the reference. */
  async score(row: SequenceTree[], under: 'adapter' | 'reference'): Promise<Float32Array> {
    const scored = under === 'adapter' ? this.adapter : this.reference;
    const adapter: AdapterView | null = scored?.view ?? null;
    const parts = await this.learner.score(
      splitIntoMicroBatches(row, PASS_TOKENS).map((batch) => [batch]),
      adapter,
    );
    const scores = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      scores.set(part, at);
      at += part.length;
    }
    return scores;
  }

  /** Norm of all that the adapter adds to the base model's matrices over the norm of those. */
  outweighs(): number {
    const { rank, scale } = this.adapter.view;
    const tensors = this.adapter.tensors();
    let sum = 0;
    for (let layer = 0; layer < this.base.memory.config.layers; layer++) {
      for (const module of LINEAR_MODULES) {
        const key = `${layer}.${module}`;
        sum += adapterNorm(tensors.get(`${key}.A`)!, tensors.get(`${key}.B`)!, rank, scale) ** 2;
      }
    }
    return Math.sqrt(sum) / this.base.linearNorm;
  }

  /** Writes adapter and optimiser state. */
  save(directory: string): Promise<void> {
    const { rank, alpha } = this.adapter;
    const first = this.adapter.tensors(this.learner.m);
    const second = this.adapter.tensors(this.learner.v);
    const moments = new Map<string, Moments>(
      [...first].map(([key, values]) => [key, { first: values, second: second.get(key)! }]),
    );
    return writeAdapter(
      directory,
      this.base.memory.config,
      { rank, alpha, baseModel: this.base.info.id, tensors: this.adapter.tensors() },
      { step: this.learner.steps, moments },
    );
  }

  private setMoments(state: OptimizerState | null): void {
    if (!state) return;
    this.learner.steps = state.step;
    this.adapter.fill(this.learner.m, pick(state.moments, 'first'));
    this.adapter.fill(this.learner.v, pick(state.moments, 'second'));
  }
}

function pick(moments: ReadonlyMap<string, Moments>, which: keyof Moments): Map<string, Float32Array> {
  return new Map([...moments].map(([key, values]) => [key, values[which]]));
}
