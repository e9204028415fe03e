import { Compute } from '../model/compute.js';
import { Decoder } from '../model/decoder.js';
import { KeyValueCache } from '../model/key-value-cache.js';
import { ModelMemory } from '../model/model-memory.js';
import { layoutAdapter } from '../model/weights.layout.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { MemoryLimit } from '../tensor/memory-limit.js';
import { ALIGNMENT } from '../tensor/free-list.js';
import { MOST_BYTES } from '../tensor/tensor-memory.js';
import { SampleThreads } from '../threads/sample-threads.js';
import { splitIntoMicroBatches } from '../training/row-packing.js';
import { splitIntoShards } from '../training/row-sharding.js';
import type { SequenceTree } from '../training/sequence-tree.js';
import { MAX_RANK } from './adapter-limits.js';
import type { DescribedModel } from './base-model.js';
import { PASS_TOKENS, SHARDS } from './learner.js';

const MIB = 1024 ** 2;

/** The caches of a thread that samples hold at least so much, whatever the memory of the engine. */
const LEAST_CACHE = 4 * MIB;

/** In the unit of the settings. */
export const megabytes = (bytes: number): string => `${Math.ceil(bytes / MIB).toLocaleString('en')} MB`;

/** How much memory things take, and whether it is there at all: everything is known before anything is loaded. */
export class BaseSizes {
  constructor(
    private readonly limit: MemoryLimit,
    private readonly threads: number,
    /** For caches, over all threads, where there is as much. */
    private readonly cacheBytes: number,
  ) {}

  /** Weights, tables, and what threads need before they do anything. */
  base({ config, precision }: DescribedModel): number {
    return ModelMemory.totalBytes(config, precision) + this.threads * (Compute.SCRATCH + 64);
  }

  /** For all threads that sample. */
  sampling(model: DescribedModel): number {
    const bytes = (cache: number) => this.threads * SampleThreads.bytes(model.config, cache, MAX_RANK);
    const room = this.most - this.base(model) - bytes(0);
    // A sequence of any length that the model takes should fit, be there threads as many as may.
    const wanted = Math.max(this.cacheBytes / this.threads, KeyValueCache.wholeContext(model.config));
    return bytes(Math.floor(Math.max(LEAST_CACHE, Math.min(wanted, room / this.threads))));
  }

  /**
   * An adapter that learns: its weights, what AdamW keeps of each, and the shards of its gradient.
   * @param reference rank of another one, with which it is compared: its weights
   */
  adapter({ config }: DescribedModel, rank: number, reference?: number): number {
    const block = (of: number): number => layoutAdapter(config, of).size * 4;
    return block(rank) * (3 + SHARDS) + (reference === undefined ? 0 : block(reference)) + 64;
  }

  /**
   * What a job may take beside its base model: the more, the faster, the most first.
   * @param rows the trees of each optimiser step
   * @param reference rank of the adapter with which the one that learns is compared
   * @throws EngineError `invalid_request` where the engine has not even the least.
   */
  job(model: DescribedModel, rank: number, rows: readonly SequenceTree[][], reference?: number): number[] {
    const adapter = this.adapter(model, rank, reference);
    const passRank = Math.max(rank, reference ?? 0);
    const passes = { all: 0, inputs: 0 };
    for (const trees of rows.flatMap(batchesOf)) {
      const bytes = Decoder.bytes(model.config, trees, passRank);
      passes.all = Math.max(passes.all, bytes.all);
      passes.inputs = Math.max(passes.inputs, bytes.inputs);
    }
    const [most, least] = [adapter + this.threads * passes.all, adapter + this.threads * passes.inputs] as const;
    const room = this.most - this.base(model);
    if (least <= room) return most <= room ? [most, least] : [room, least];
    const longest = Math.max(...rows.flat().flatMap(lengthsOf));
    throw new EngineError(
      'invalid_request',
      `the longest sequence has ${longest.toLocaleString('en')} tokens: to train it on ${this.threads} threads takes ` +
        `${megabytes(least)} beside the ${megabytes(this.base(model))} of the base model, and the engine has ` +
        `${megabytes(this.most)}. Shorter sequences, fewer threads (ENGINE_THREADS) or more memory (ENGINE_MEMORY_MB) help`,
    );
  }

  /** Of a thread's room for passes in the room of a job. */
  arena(model: DescribedModel, rank: number, room: number, reference?: number): number {
    const bytes = (room - this.adapter(model, rank, reference)) / this.threads;
    return Math.floor(bytes / ALIGNMENT) * ALIGNMENT;
  }

  /** @throws EngineError `bad_model` where the base model can't be held, or could do nothing. */
  checkBase(model: DescribedModel): void {
    const bytes = this.base(model) + this.sampling(model);
    if (bytes > this.most) throw new EngineError('bad_model', this.excess(bytes));
  }

  /** @throws EngineError `invalid_request` where no pass at all could train an adapter of this rank. */
  checkRank(model: DescribedModel, rank: number): void {
    const tokens = new Int32Array(Math.min(PASS_TOKENS, model.config.contextLength));
    const tree = { prefix: new Int32Array(), branches: [{ tokens, targets: Int32Array.of(tokens.length - 1) }] };
    const pass = Decoder.bytes(model.config, [tree], rank).inputs;
    const bytes = this.base(model) + this.adapter(model, rank) + this.threads * pass;
    if (bytes <= this.most) return;
    throw new EngineError(
      'invalid_request',
      `a LoRA rank of ${rank} on ${model.info.id} ${this.excess(bytes)}`,
      'lora_rank',
    );
  }

  private excess(bytes: number): string {
    const which = this.limit.bytes > MOST_BYTES ? 'for one base model' : '(ENGINE_MEMORY_MB)';
    return `needs ${megabytes(bytes)}, the embedded engine holds at most ${megabytes(this.most)} ${which}`;
  }

  /** For one base model with all that belongs to it. */
  private get most(): number {
    return Math.min(this.limit.bytes, MOST_BYTES);
  }
}

/** What is computed at once in a step: its gradient, and where a loss wants them, the scores of its row. */
function batchesOf(row: SequenceTree[]): SequenceTree[][] {
  const shards = splitIntoShards(row, SHARDS).flatMap((shard) => splitIntoMicroBatches(shard, PASS_TOKENS));
  return [...shards, ...splitIntoMicroBatches(row, PASS_TOKENS)];
}

const lengthsOf = ({ prefix, branches }: SequenceTree): number[] =>
  branches.map(({ tokens }) => prefix.length + tokens.length);
