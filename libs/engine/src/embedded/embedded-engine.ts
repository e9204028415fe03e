import { EngineError } from '../protocol/engine.errors.js';
import type { BaseModelInfo, BaseModelSource, Engine } from '../protocol/engine.js';
import type { GenerateEvent, GenerateRequest } from '../protocol/generate.js';
import type { TrainEvent, TrainRequest } from '../protocol/train.js';
import { SampleThreads } from '../threads/sample-threads.js';
import { TrainThreads } from '../threads/train-threads.js';
import { AdapterStore } from './adapter-store.js';
import { AdapterTrainer } from './adapter-trainer.js';
import { type BaseModel, describeModel, loadModel } from './base-model.js';
import { generate } from './generation.js';
import { RL_OPTIONS, trainRl } from './rl-training.js';
import { SFT_OPTIONS, trainSft } from './sft-training.js';

export interface EmbeddedEngineOptions {
  /** Base models: id to directory in Hugging Face format. */
  models: Readonly<Record<string, string>>;
  /** Threads that train, and as many that sample. */
  threads: number;
  /** For the caches of sequences that are sampled, over all threads. */
  cacheBytes: number;
  /** Adapters kept in memory. */
  adapters: number;
  /** What one base model may take in all: weights, adapters, jobs, caches. At most 4 GiB. */
  memoryBytes: number;
}

/** The largest LoRA rank that is served. */
const MAX_RANK = 64;

interface Loaded {
  base: BaseModel;
  training: TrainThreads | null;
  sampling: SampleThreads | null;
  adapters: AdapterStore;
}

/** Trains and samples on threads of this process. A base model is loaded, and its threads are started, when first used. */
export class EmbeddedEngine implements Engine {
  private readonly loaded = new Map<string, Promise<Loaded>>();
  private closed = false;

  private constructor(
    private readonly infos: BaseModelInfo[],
    private readonly options: EmbeddedEngineOptions,
  ) {}

  /** @throws EngineError `bad_model` for a directory that can't be served. */
  static async create(options: EmbeddedEngineOptions): Promise<EmbeddedEngine> {
    const entries = Object.entries(options.models);
    const infos = await Promise.all(entries.map(([id, directory]) => describeModel(id, directory)));
    return new EmbeddedEngine(infos, options);
  }

  baseModels(): readonly BaseModelInfo[] {
    return this.infos;
  }

  /** Makes one more base model available, or one of that name once more. @throws EngineError `bad_model` */
  async add({ id, directory }: BaseModelSource): Promise<BaseModelInfo> {
    const info = await describeModel(id, directory);
    const known = this.infos.findIndex((one) => one.id === id);
    this.infos.splice(known < 0 ? this.infos.length : known, known < 0 ? 0 : 1, info);
    return info;
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
    const loaded = await Promise.allSettled(this.loaded.values());
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
    const info = this.infos.find((one) => one.id === id);
    if (!info) throw new EngineError('invalid_request', `there is no base model ${JSON.stringify(id)}`, 'base_model');
    const loading = loadModel(info, this.options.memoryBytes).then((base) => ({
      base,
      training: null,
      sampling: null,
      adapters: new AdapterStore(base.memory, this.options.adapters, MAX_RANK),
    }));
    // A failure is not remembered: the files may be mended.
    loading.catch(() => this.loaded.delete(id));
    this.loaded.set(id, loading);
    return loading;
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
