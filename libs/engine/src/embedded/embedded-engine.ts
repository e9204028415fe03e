import { EngineError } from '../protocol/engine.errors.js';
import type { BaseModelInfo, BaseModelSource, Engine } from '../protocol/engine.js';
import type { GenerateEvent, GenerateRequest, Prompt } from '../protocol/generate.js';
import type { AdapterShape, TrainEvent, TrainRequest } from '../protocol/train.js';
import { MemoryLimit } from '../tensor/memory-limit.js';
import { adapterShape } from './adapter-limits.js';
import { type AdapterStart, readStart } from './adapter-start.js';
import type { HeldAdapter } from './loaded-adapters.js';
import { type AdapterState, adapterReader } from './adapter-state.js';
import { AdapterTrainer } from './adapter-trainer.js';
import { type DescribedModel, describeModel } from './base-model.js';
import { BasePool, type HeldBase } from './base-pool.js';
import { BaseSizes } from './base-sizes.js';
import { generate } from './generation.js';
import { KeptSteps } from '../jobs/kept-steps.js';
import { Patience } from './patience.js';
import { promptTokens } from '../text/prompt-tokens.js';
import { rlTraining } from '../jobs/rl-training.js';
import { sftTraining } from '../jobs/sft-training.js';
import type { TrainingJob } from '../jobs/training-job.js';

export interface EmbeddedEngineOptions {
  models: readonly BaseModelSource[];
  /** Threads that train, and as many that sample. */
  threads: number;
  /** For the caches of sequences that are sampled, over all threads. */
  cacheBytes: number;
  /** Adapters kept in memory. */
  adapters: number;
  /** What all base models that are loaded may take: weights, adapters, jobs, caches. Each of them 4 GiB at most. */
  memoryBytes: number;
  /** Milliseconds that a completion waits for memory that others use. */
  patience?: number;
  /** Milliseconds after which the state of a job is kept again. */
  keepEveryMs?: number;
}

/** Milliseconds that a completion waits for memory: less than clients wait for an answer. */
const CHAT_PATIENCE = 20_000;

/** Trains and samples on threads of this process. A base model is loaded, and its threads are started, when first used. */
export class EmbeddedEngine implements Engine {
  private readonly models = new Map<string, DescribedModel>();
  private readonly sizes: BaseSizes;
  private readonly pool: BasePool;
  private closed = false;

  private constructor(private readonly options: Omit<EmbeddedEngineOptions, 'models'>) {
    const limit = new MemoryLimit(options.memoryBytes);
    this.sizes = new BaseSizes(limit, options.threads, options.cacheBytes);
    this.pool = new BasePool(limit, this.sizes, options);
  }

  /** @throws EngineError `bad_model` for a directory that can't be served. */
  static async create({ models, ...options }: EmbeddedEngineOptions): Promise<EmbeddedEngine> {
    const engine = new EmbeddedEngine(options);
    const described = await Promise.all(models.map((source) => engine.describe(source)));
    // In the order in which they were given.
    for (const model of described) engine.models.set(model.info.id, model);
    return engine;
  }

  baseModels(): readonly BaseModelInfo[] {
    return [...this.models.values()].map(({ info }) => info);
  }

  /**
   * Makes one more base model available, or another directory that of one that was added before: what runs with the old
   * one runs on with it.
   * @throws EngineError `bad_model`, and nothing is changed; it may be added again.
   */
  async add(source: BaseModelSource): Promise<BaseModelInfo> {
    const described = await this.describe(source);
    this.remove(source.id);
    this.models.set(source.id, described);
    return described.info;
  }

  /** Nobody can ask for it any more; what runs with it runs on. */
  remove(id: string): void {
    const model = this.models.get(id);
    this.models.delete(id);
    if (model) this.pool.retire(model);
  }

  checkAdapter(base: string, shape: AdapterShape): void {
    const model = this.model(base);
    this.sizes.checkRank(model, adapterShape(shape, model.info.lora).rank);
  }

  async *train(request: TrainRequest, signal?: AbortSignal): AsyncGenerator<TrainEvent> {
    const model = this.model(request.base);
    const { data } = request;
    const start = await readStart(request, model);
    const texts = await this.pool.textsOf(model);
    const job = await (data.kind === 'rl'
      ? rlTraining(texts, model.config, data)
      : sftTraining(texts, model.config, data));
    const rooms = this.sizes.job(model, start.shape.rank, job.rows, start.reference?.rank);
    const held = await this.pool.hold(model, { sampling: false, rooms }, Patience.endless(signal));
    try {
      const kept = await KeptSteps.open(request.state, adapterReader(model.config), this.options.keepEveryMs);
      yield* this.runJob(held, { start, job, kept, to: request.to }, signal);
    } finally {
      held.release();
    }
  }

  private async *runJob(
    { base, loaded, room }: HeldBase,
    { start, job, kept, to }: { start: AdapterStart; job: TrainingJob; kept: KeptSteps<AdapterState>; to: string },
    signal?: AbortSignal,
  ): AsyncGenerator<TrainEvent> {
    throwIfCancelled(signal);
    const { shape, reference } = start;
    const arenaBytes = this.sizes.arena(loaded.model, shape.rank, room!.bytes, reference?.rank);
    const trainer = AdapterTrainer.open(base, loaded.training, start, { ...job.options, arenaBytes }, room!);
    const stop = () => trainer.stop();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      yield job.started;
      for await (const event of job.steps(trainer, kept)) {
        throwIfCancelled(signal);
        // The adapter is whole before anybody hears that it is.
        if (event.type === 'ended') await trainer.save(to);
        yield event;
      }
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async *generate(request: GenerateRequest, signal?: AbortSignal): AsyncGenerator<GenerateEvent> {
    const model = this.model(request.base);
    const patience = this.patienceFor(signal);
    const { base, loaded, release } = await this.pool.hold(model, { sampling: true, rooms: [0] }, patience);
    let adapter: HeldAdapter | null = null;
    try {
      const threads = loaded.samplingThreads(base);
      adapter = request.adapter === null ? null : await loaded.adapters.hold(request.adapter);
      throwIfCancelled(signal);
      yield* generate(base, threads, adapter, request, signal);
    } finally {
      adapter?.release();
      release();
    }
  }

  async encode(base: string, prompt: Prompt): Promise<number[]> {
    const model = this.model(base);
    return promptTokens(await this.pool.textsOf(model), prompt, model.info.vocabularySize);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.pool.close();
  }

  private async describe(source: BaseModelSource): Promise<DescribedModel> {
    const described = await describeModel(source);
    this.sizes.checkBase(described);
    return described;
  }

  private patienceFor(signal?: AbortSignal): Patience {
    return Patience.of(this.options.patience ?? CHAT_PATIENCE, signal);
  }

  private model(id: string): DescribedModel {
    if (this.closed) throw new EngineError('closed', 'the engine is closed');
    const model = this.models.get(id);
    if (!model) throw new EngineError('invalid_request', `there is no base model ${JSON.stringify(id)}`, 'base_model');
    return model;
  }
}

function throwIfCancelled(signal?: AbortSignal): void {
  if (signal?.aborted) throw new EngineError('cancelled', 'it was cancelled');
}
