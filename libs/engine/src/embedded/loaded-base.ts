import { ModelMemory } from '../model/model-memory.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { MemoryLimit } from '../tensor/memory-limit.js';
import { TensorMemory } from '../tensor/tensor-memory.js';
import { TensorRoom } from '../tensor/tensor-room.js';
import { SampleThreads } from '../threads/sample-threads.js';
import { TrainThreads } from '../threads/train-threads.js';
import { MAX_RANK } from './adapter-limits.js';
import { LoadedAdapters } from './loaded-adapters.js';
import { type BaseModel, type DescribedModel, loadModel } from './base-model.js';
import type { BaseTexts } from '../text/base-texts.js';

export interface LoadedBaseOptions {
  threads: number;
  /** Adapters kept in memory. */
  adapters: number;
}

/** A base model in memory, with the threads that compute with it. Its memory is taken at once, its weights come later. */
export class LoadedBase {
  /** Rejects with `bad_model` where it can't be loaded. */
  readonly base: Promise<BaseModel>;
  readonly training: TrainThreads;
  readonly adapters: LoadedAdapters;
  /** Requests and jobs that use it now. */
  users = 0;
  private readonly memory: ModelMemory;
  private samplingRoom: TensorRoom | null = null;
  private sampling: SampleThreads | null = null;
  private closed = false;

  /** @throws EngineError `out_of_memory` */
  constructor(
    readonly model: DescribedModel,
    texts: Promise<BaseTexts>,
    limit: MemoryLimit,
    private readonly options: LoadedBaseOptions,
  ) {
    this.memory = ModelMemory.empty(model.config, model.precision, new TensorMemory(limit));
    this.training = new TrainThreads(this.memory, options.threads);
    this.adapters = new LoadedAdapters(this.memory, options.adapters, MAX_RANK);
    this.base = loadModel(model, this.memory, texts);
    // Whoever waits for it hears of it.
    this.base.catch(() => undefined);
  }

  get bytes(): number {
    return this.memory.tensors.bytes;
  }

  /** Bytes by which its memory would have to grow. */
  missing(samplingBytes: number, room: number): number {
    const wanted = (this.samplingRoom ? 0 : samplingBytes) + room;
    return wanted === 0 ? 0 : this.memory.tensors.missing(wanted);
  }

  /** Takes the memory with which threads sample, unless they have it. */
  reserveSampling(bytes: number): void {
    if (bytes > 0) this.samplingRoom ??= new TensorRoom(this.memory.tensors, bytes);
  }

  reserve(bytes: number): TensorRoom | null {
    return bytes > 0 ? new TensorRoom(this.memory.tensors, bytes) : null;
  }

  /** Starts them where nobody did: of a base that is loaded, after {@link reserveSampling}. */
  samplingThreads({ tokenizer }: BaseTexts): SampleThreads {
    if (this.closed) throw new EngineError('closed', 'the engine is closed');
    const { vocabularySize } = this.model.config;
    return (this.sampling ??= new SampleThreads(this.memory, {
      count: this.options.threads,
      room: this.samplingRoom!,
      maxRank: MAX_RANK,
      vocabulary: Array.from({ length: vocabularySize }, (_, id) => {
        const special = id >= tokenizer.vocabularySize || tokenizer.isSpecial(id);
        return { special, bytes: special ? new Uint8Array() : tokenizer.tokenBytes(id) };
      }),
    }));
  }

  /** What still runs throws `closed`; then its memory is nobody's. */
  async close(): Promise<void> {
    this.closed = true;
    await this.base.catch(() => undefined);
    await Promise.all([this.training.close(), this.sampling?.close()]);
    this.memory.tensors.leave();
  }
}
