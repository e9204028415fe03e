import type { AdapterView } from '../model/compute.js';
import { Decoder } from '../model/decoder.js';
import type { ModelMemory } from '../model/model-memory.js';
import type { Address } from '../tensor/kernels.js';
import type { Allocator } from '../tensor/allocator.js';
import type { ArenaView, TrainTask } from '../threads/train-task.js';
import type { TrainThreads } from '../threads/train-threads.js';
import type { SequenceTree } from '../training/sequence-tree.js';
import type { LossResults, LossTask, StepOptions } from '../training/trainer.js';

/**
 * Shards of a gradient. Fixed, so that sums run in the same order and the weights are the same at any number of threads;
 * no more than so many threads work on one job.
 */
export const SHARDS = 8;
/** Tokens of a forward pass, unless one sequence is longer: what bounds a thread's memory. */
export const PASS_TOKENS = 512;

export interface LearnerOptions extends StepOptions {
  /** Of each thread's room for passes, which must do for all of them. Unset: as much as they want. */
  arenaBytes?: number;
}

/** A block of weights that learns: the weights, their moments, and the shards of their gradient, all in shared memory. */
export class Learner {
  readonly m: Address;
  readonly v: Address;
  /** Optimiser steps taken. */
  steps = 0;
  private readonly shards: Address[];
  private readonly stopFlag: Address;
  private arenas: ArenaView[] = [];

  constructor(
    private readonly model: ModelMemory,
    /** Where all that it needs is allocated. */
    private readonly memory: Allocator,
    private readonly threads: TrainThreads,
    private readonly weights: Address,
    private readonly size: number,
    /** Null: the weights are the base model's. */
    private readonly adapter: AdapterView | null,
    private readonly options: LearnerOptions,
  ) {
    this.m = memory.allocate(size * 4);
    this.v = memory.allocate(size * 4);
    this.shards = Array.from({ length: SHARDS }, () => memory.allocate(size * 4));
    this.stopFlag = memory.allocate(4);
    if (options.arenaBytes) this.takeArenas(options.arenaBytes);
  }

  /** Makes the running and all later tasks throw `cancelled`. */
  stop(): void {
    Atomics.store(this.model.tensors.integers(this.stopFlag, 1), 0, 1);
  }

  /**
   * Gradient of the loss over all shards, and its norm. Nothing is learned yet.
   * @param shards at most {@link SHARDS}, each cut into batches of one pass.
   */
  async gradient<L extends LossTask>(
    shards: SequenceTree[][][],
    loss: L,
  ): Promise<{ parts: LossResults[L['type']][]; norm: number }> {
    this.reserve(shards.flat());
    const used = shards.filter((batches) => batches.length > 0);
    const parts = await settled(
      used.map((batches, shard) =>
        this.threads.run((thread) => {
          const address = this.shards[shard]!;
          return {
            ...loss,
            batches,
            adapter: this.adapter,
            sink: this.adapter ? { adapter: address, base: 0 } : { adapter: 0, base: address },
            arena: this.arenas[thread]!,
            stop: this.stopFlag,
            size: this.size,
          } as Extract<TrainTask, { type: L['type'] }>;
        }),
      ),
    );
    const addresses = this.shards.slice(0, used.length);
    const sums = await settled(
      this.slices().map((slice) => this.threads.run(() => ({ type: 'reduce', shards: addresses, ...slice }))),
    );
    return { parts, norm: Math.sqrt(sums.reduce((sum, { sumSquares }) => sum + sumSquares, 0)) };
  }

  /** One step of AdamW along the gradient just computed. */
  async learn(learningRate: number, norm: number): Promise<void> {
    this.steps += 1;
    const { maxGradientNorm, settings } = this.options;
    // As torch.nn.utils.clip_grad_norm_.
    const clip = Math.min(1, maxGradientNorm / (norm + 1e-6));
    await settled(
      this.slices().map((slice) =>
        this.threads.run(() => ({
          type: 'adamw',
          weights: this.weights,
          gradient: this.shards[0]!,
          m: this.m,
          v: this.v,
          settings,
          step: this.steps,
          learningRate,
          clip,
          ...slice,
        })),
      ),
    );
  }

  /** Log probabilities of the targets, shard by shard, with these weights or with another adapter. */
  async score(shards: SequenceTree[][][], adapter: AdapterView | null = this.adapter): Promise<Float32Array[]> {
    this.reserve(shards.flat());
    const results = await settled(
      shards.map((batches) =>
        this.threads.run((thread) => ({
          type: 'score',
          batches,
          adapter,
          arena: this.arenas[thread]!,
          stop: this.stopFlag,
        })),
      ),
    );
    return results.map(({ logprobs }) => logprobs);
  }

  /** Room in every thread for the largest of the batches. */
  private reserve(batches: SequenceTree[][]): void {
    if (this.options.arenaBytes) return;
    const { config } = this.model;
    const rank = this.adapter?.rank ?? 0;
    const bytes = batches.reduce((most, trees) => Math.max(most, Decoder.bytes(config, trees, rank).all), 0);
    if (this.arenas[0] && this.arenas[0].bytes >= bytes) return;
    for (const { address } of this.arenas) this.memory.release(address);
    this.takeArenas(bytes);
  }

  private takeArenas(bytes: number): void {
    this.arenas = Array.from({ length: this.threads.count }, () => ({ address: this.memory.reserve(bytes), bytes }));
  }

  private slices(): { offset: number; count: number }[] {
    const step = Math.ceil(this.size / SHARDS / 4) * 4;
    return Array.from({ length: SHARDS }, (_, i) => ({
      offset: i * step,
      count: Math.max(0, Math.min(step, this.size - i * step)),
    })).filter(({ count }) => count > 0);
  }
}

/** Waits for all, then throws the first error: nothing may still write when the caller frees its memory. */
async function settled<T>(promises: Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.map((result) => (result as PromiseFulfilledResult<T>).value);
}
