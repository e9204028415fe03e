import type { Compute } from '../model/compute.js';
import { Decoder } from '../model/decoder.js';
import { Arena } from '../tensor/arena.js';
import type { Address } from '../tensor/kernels.js';
import { addRlSums, noRlSums, rlLoss } from '../training/rl-loss.js';
import type { SequenceTree, TargetScores } from '../training/sequence-tree.js';
import { addSftSums, noSftSums, sftLoss } from '../training/sft-loss.js';
import type { ArenaView, TrainResult, TrainTask } from './train-task.js';

class StoppedError extends Error {}

/** What a training thread does with a task; runs in any thread, on the memory that all share. */
export class TrainWork {
  constructor(private readonly compute: Compute) {}

  static wasStopped(error: unknown): boolean {
    return error instanceof StoppedError;
  }

  run<T extends TrainTask['type']>(task: Extract<TrainTask, { type: T }>): TrainResult<T>;
  run(task: TrainTask): TrainResult<TrainTask['type']> {
    const { kernels } = this.compute;
    switch (task.type) {
      case 'rl': {
        let sums = noRlSums();
        this.gradients(task, (trees, scores) => {
          const loss = rlLoss(trees, scores, task.config, task.normalizer);
          sums = addRlSums(sums, loss.sums);
          return loss.gradient;
        });
        return { sums };
      }
      case 'sft': {
        let sums = noSftSums();
        this.gradients(task, (_trees, scores) => {
          const loss = sftLoss(scores, task.normalizer);
          sums = addSftSums(sums, loss.sums);
          return loss.gradient;
        });
        return { sums };
      }
      case 'score': {
        const decoder = this.decoder(task.arena, task.stop);
        const parts = task.batches.map((trees) => decoder.forward(trees, task.adapter).scores.logprobs);
        const logprobs = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
        parts.reduce((at, part) => (logprobs.set(part, at), at + part.length), 0);
        return { logprobs };
      }
      case 'reduce': {
        const [first, ...others] = task.shards.map((shard) => shard + task.offset * 4);
        for (const other of others) kernels.add(first!, other, task.count);
        return { sumSquares: kernels.sumSquares(first!, task.count) };
      }
      case 'adamw': {
        const { beta1, beta2, epsilon, weightDecay } = task.settings;
        const at = task.offset * 4;
        kernels.adamw(
          task.weights + at,
          task.gradient + at,
          task.m + at,
          task.v + at,
          task.count,
          task.learningRate,
          beta1,
          beta2,
          epsilon,
          weightDecay,
          1 - beta1 ** task.step,
          1 - beta2 ** task.step,
          task.clip,
        );
        return {};
      }
    }
  }

  private gradients<T extends Extract<TrainTask, { type: 'rl' | 'sft' }>>(
    task: T,
    loss: (trees: T['batches'][number], scores: TargetScores) => Float32Array,
  ): void {
    const decoder = this.decoder(task.arena, task.stop);
    this.compute.kernels.fill(task.sink.adapter || task.sink.base, task.size);
    for (const trees of task.batches) {
      const pass = decoder.forward(trees as SequenceTree[], task.adapter);
      pass.backward(loss(trees, pass.scores), task.sink);
    }
  }

  private decoder(arena: ArenaView, stop: Address): Decoder {
    const flag = this.compute.integers(stop, 1);
    return new Decoder(this.compute, new Arena(arena.address, arena.bytes), () => {
      if (Atomics.load(flag, 0) !== 0) throw new StoppedError('stopped');
    });
  }
}
