import { EngineError } from '../protocol/engine.errors.js';
import type { BaseModelInfo, BaseModelSource, Engine } from '../protocol/engine.js';
import type { GenerateEvent, GenerateRequest } from '../protocol/generate.js';
import type { AdapterShape, TrainEvent, TrainRequest } from '../protocol/train.js';
import { SampleThreads } from '../threads/sample-threads.js';
import { TrainThreads } from '../threads/train-threads.js';
import { adapterShape, MAX_RANK } from './adapter-limits.js';
import { AdapterStore } from './adapter-store.js';
import { AdapterTrainer } from './adapter-trainer.js';
import { type BaseModel, type DescribedModel, describeModel, loadModel } from './base-model.js';
import { generate } from './generation.js';
import { RL_OPTIONS, trainRl } from './rl-training.js';
import { SFT_OPTIONS, trainSft } from './sft-training.js';

export interface EmbeddedEngineOptions {
  models: readonly BaseModelSource[];
  /** Threads that train, and as many that sample. */
  threads: number;
  /** For the caches of sequences that are sampled, over all threads. */
  cacheBytes: number;
  /** Adapters kept in memory. */
  adapters: number;
  /** What one base model may take in all: weights, adapters, jobs, caches. At most 4 GiB. */
  memoryBytes: number;
}

interface Loaded {
  base: BaseModel;
  training: TrainThreads | null;
  sampling: SampleThreads | null;
  adapters: AdapterStore;
}

/** Trains and samples on threads of this process. A base model is loaded, and its threads are started, when first used. */
export class EmbeddedEngine implements Engine {
  private readonly models = new Map<string, DescribedModel>();
  private readonly loaded = new Map<string, Promise<Loaded>>();
  /** Of bases that were removed. */
  private readonly retired = new Set<Promise<Loaded>>();
  private closed = false;

  private constructor(private readonly options: Omit<EmbeddedEngineOptions, 'models'>) {}

  /** @throws EngineError `bad_model` for a directory that can't be served. */
  static async create({ models, ...options }: EmbeddedEngineOptions): Promise<EmbeddedEngine> {
    const engine = new EmbeddedEngine(options);
    await Promise.all(models.map((source) => engine.add(source)));
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
    const described = await describeModel(source);
    this.remove(source.id);
    this.models.set(source.id, described);
    return described.info;
  }

  /** Nobody can ask for it any more; what runs with it runs on. */
  remove(id: string): void {
    this.models.delete(id);
    const loading = this.loaded.get(id);
    this.loaded.delete(id);
    if (loading) this.retired.add(loading);
  }

  checkAdapter(base: string, shape: AdapterShape): void {
    adapterShape(shape, this.model(base).info.lora);
  }

  async *train(request: TrainRequest, signal?: AbortSignal): AsyncGenerator<TrainEvent> {
    const loaded = await this.load(request.base);
    const { base } = loaded;
    const threads = (loaded.training ??= new TrainThreads(base.memory, this.options.threads));
    const options = request.data.kind === 'rl' ? RL_OPTIONS : SFT_OPTIONS;
    throwIfCancelled(signal);
    const trainer = await AdapterTrainer.open(base, threads, request, options);
    const stop = () => trainer.stop();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const { data } = request;
      const events = data.kind === 'rl' ? trainRl(base, trainer, data) : trainSft(base, trainer, data);
      for await (const event of events) {
        throwIfCancelled(signal);
        // The adapter is whole before anybody hears that it is.
        if (event.type === 'ended') await trainer.save(request.to);
        yield event;
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      trainer.release();
    }
  }

  async *generate(request: GenerateRequest, signal?: AbortSignal): AsyncGenerator<GenerateEvent> {
    const loaded = await this.load(request.base);
    const threads = (loaded.sampling ??= this.startSampling(loaded.base));
    const held = request.adapter === null ? null : await loaded.adapters.hold(request.adapter);
    try {
      throwIfCancelled(signal);
      yield* generate(loaded.base, threads, held, request, signal);
    } finally {
      held?.release();
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const loaded = await Promise.allSettled([...this.loaded.values(), ...this.retired]);
    await Promise.all(
      loaded.map(async (one) => {
        if (one.status === 'rejected') return;
        await Promise.all([one.value.training?.close(), one.value.sampling?.close()]);
      }),
    );
  }

  private load(id: string): Promise<Loaded> {
    if (this.closed) throw new EngineError('closed', 'the engine is closed');
    const known = this.loaded.get(id);
    if (known) return known;
    const loading = loadModel(this.model(id), this.options.memoryBytes).then((base) => ({
      base,
      training: null,
      sampling: null,
      adapters: new AdapterStore(base.memory, this.options.adapters, MAX_RANK),
    }));
    // A failure is not remembered: the files may be mended.
    loading.catch(() => this.loaded.get(id) === loading && this.loaded.delete(id));
    this.loaded.set(id, loading);
    return loading;
  }

  private model(id: string): DescribedModel {
    const model = this.models.get(id);
    if (!model) throw new EngineError('invalid_request', `there is no base model ${JSON.stringify(id)}`, 'base_model');
    return model;
  }

  private startSampling({ memory, tokenizer }: BaseModel): SampleThreads {
    const { threads, cacheBytes } = this.options;
    const vocabulary = Array.from({ length: memory.config.vocabularySize }, (_, id) => {
      const special = id >= tokenizer.vocabularySize || tokenizer.isSpecial(id);
      return { special, bytes: special ? new Uint8Array() : tokenizer.tokenBytes(id) };
    });
    return new SampleThreads(memory, {
      count: threads,
      cacheBytes: Math.floor(cacheBytes / threads),
      maxRank: MAX_RANK,
      vocabulary,
    });
  }
}

function throwIfCancelled(signal?: AbortSignal): void {
  if (signal?.aborted) throw new EngineError('cancelled', 'it was cancelled');
}
