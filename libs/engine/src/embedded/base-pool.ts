import { EngineError } from '../protocol/engine.errors.js';
import { collectGarbage } from '../tensor/collect-garbage.js';
import type { MemoryLimit } from '../tensor/memory-limit.js';
import type { TensorRoom } from '../tensor/tensor-room.js';
import type { BaseModel, DescribedModel } from './base-model.js';
import type { BaseSizes } from './base-sizes.js';
import { type BaseTexts, loadTexts } from '../text/base-texts.js';
import { LoadedBase, type LoadedBaseOptions } from './loaded-base.js';
import type { Patience } from './patience.js';
import { WaitingLine } from './waiting-line.js';

/** What somebody wants of a base model, beside itself. */
export interface Wanted {
  sampling: boolean;
  /** Bytes for this use alone: the first of these that there is memory for. */
  rooms: readonly number[];
}

/** A base model that stays in memory until it is given back. */
export interface HeldBase {
  base: BaseModel;
  loaded: LoadedBase;
  room: TensorRoom | null;
  release(): void;
}

type ReservedMemory = Omit<HeldBase, 'base'>;

/**
 * The base models in memory. What doesn't fit beside those makes the least recently used go that nobody uses; where all
 * are in use, it waits its turn, and while it waits it holds nothing: no two can wait for each other.
 */
export class BasePool {
  /** In the order of their last use. */
  private readonly loaded = new Map<DescribedModel, LoadedBase>();
  private readonly texts = new Map<DescribedModel, Promise<BaseTexts>>();
  private readonly retired = new WeakSet<DescribedModel>();
  private readonly waiting = new Set<() => void>();
  private readonly line = new WaitingLine<DescribedModel>(() => this.wake());
  /** The last of those who change what is loaded, one at a time. */
  private turn: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(
    private readonly limit: MemoryLimit,
    private readonly sizes: BaseSizes,
    private readonly options: LoadedBaseOptions,
  ) {}

  /** Ids of what is in memory, the least recently used first. */
  get ids(): string[] {
    return [...this.loaded.keys()].map(({ info }) => info.id);
  }

  /** Tokenizer and template, for which nothing has to be in memory. @throws EngineError `bad_model` */
  textsOf(model: DescribedModel): Promise<BaseTexts> {
    const known = this.texts.get(model);
    if (known) return known;
    const loading = loadTexts(model.info.directory, model.config);
    this.texts.set(model, loading);
    // A failure is not remembered: the files may be mended.
    loading.catch(() => this.texts.delete(model));
    return loading;
  }

  /**
   * @throws EngineError `out_of_memory` where it was waited for in vain, `bad_model`, `cancelled`, `closed`
   */
  async hold(model: DescribedModel, wanted: Wanted, patience: Patience): Promise<HeldBase> {
    const { loaded, room, release } = await this.placeFor(model, wanted, patience);
    try {
      return { base: await loaded.base, loaded, room, release };
    } catch (error) {
      if (this.loaded.get(model) === loaded) this.loaded.delete(model);
      release();
      // The last who waited for it clears it away.
      if (loaded.users === 0) await this.inTurn(() => loaded.close());
      throw error;
    }
  }

  /** Lets idle base models go as far as `bytes` more are wanted for one that is held. */
  async makeRoom(loaded: LoadedBase, bytes: number): Promise<void> {
    await this.inTurn(() => this.evictFor(() => loaded.missing(0, bytes), loaded.model));
  }

  /** Nobody will ask for it again: it goes when nobody uses it any more. */
  retire(model: DescribedModel): void {
    this.retired.add(model);
    this.texts.delete(model);
    void this.dropRetired(model);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.wake();
    await this.turn;
    const all = [...this.loaded.values()];
    this.loaded.clear();
    await Promise.all(all.map((loaded) => loaded.close()));
  }

  private async placeFor(model: DescribedModel, wanted: Wanted, patience: Patience): Promise<ReservedMemory> {
    const inLine = this.line.join(model);
    try {
      for (;;) {
        patience.throwIfCancelled();
        if (this.closed) throw new EngineError('closed', 'the engine is closed');
        const change = patience.change(this.waiting);
        const place = await this.inTurn(async () => (inLine.isNext() ? this.tryPlace(model, wanted) : null));
        if (place) {
          change.forget();
          return place;
        }
        if (!(await change.came)) throw this.allBusy(model);
      }
    } finally {
      inLine.leave();
    }
  }

  private async tryPlace(model: DescribedModel, { sampling, rooms }: Wanted): Promise<ReservedMemory | null> {
    const samplingBytes = sampling ? this.sizes.sampling(model) : 0;
    for (const room of rooms) {
      const own = () => this.loaded.get(model);
      const missing = () => own()?.missing(samplingBytes, room) ?? this.sizes.base(model) + samplingBytes + room;
      const fits = () => missing() <= this.limit.free;
      await this.evictFor(missing, model);
      // Its own memory may have what another use left, in the wrong place.
      if (!fits() && own()?.users === 0 && this.couldHave(this.sizes.base(model) + samplingBytes + room)) {
        await this.unload(() => own());
        await this.evictFor(missing, model);
      }
      if (fits()) return this.place(model, samplingBytes, room);
    }
    return null;
  }

  private place(model: DescribedModel, samplingBytes: number, roomBytes: number): ReservedMemory | null {
    if (this.closed) throw new EngineError('closed', 'the engine is closed');
    const loaded = this.loaded.get(model) ?? new LoadedBase(model, this.textsOf(model), this.limit, this.options);
    loaded.adapters.makeRoom = (bytes) => this.makeRoom(loaded, bytes);
    this.loaded.delete(model);
    this.loaded.set(model, loaded);
    loaded.reserveSampling(samplingBytes);
    const room = loaded.reserve(roomBytes);
    loaded.users++;
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      room?.giveUp();
      loaded.users--;
      this.wake();
      if (this.retired.has(model)) void this.dropRetired(model);
    };
    return { loaded, room, release };
  }

  /** Nothing goes where it would be in vain. */
  private async evictFor(missing: () => number, except: DescribedModel): Promise<void> {
    const idle = () => [...this.loaded.values()].filter(({ users, model }) => users === 0 && model !== except);
    const mostFree = idle().reduce((sum, { bytes }) => sum + bytes, this.limit.free);
    if (missing() > mostFree) return;
    while (missing() > this.limit.free && (await this.unload(() => idle()[0])));
  }

  /** Whether so much is there when all that nobody uses has gone. */
  private couldHave(bytes: number): boolean {
    const idle = [...this.loaded.values()].filter(({ users }) => users === 0);
    return bytes <= idle.reduce((sum, loaded) => sum + loaded.bytes, this.limit.free);
  }

  /** @param which is told by a function, so that nothing refers to it any more when its memory is collected. */
  private async unload(which: () => LoadedBase | undefined): Promise<boolean> {
    if (!(await this.end(which()))) return false;
    collectGarbage();
    this.wake();
    return true;
  }

  private async end(loaded: LoadedBase | undefined): Promise<boolean> {
    if (!loaded) return false;
    this.loaded.delete(loaded.model);
    this.texts.delete(loaded.model);
    await loaded.close();
    return true;
  }

  private dropRetired(model: DescribedModel): Promise<void> {
    return this.inTurn(async () => {
      await this.unload(() => (this.loaded.get(model)?.users === 0 ? this.loaded.get(model) : undefined));
    });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    const nothing = () => undefined;
    this.turn = done.then(nothing, nothing);
    return done;
  }

  private wake(): void {
    for (const resolve of [...this.waiting]) resolve();
  }

  private allBusy({ info }: DescribedModel): EngineError {
    const busy = [...this.loaded.values()].filter(({ users }) => users > 0).map(({ model }) => model.info.id);
    return new EngineError(
      'out_of_memory',
      `there is no memory for ${info.id} as long as ${busy.join(', ')} ${busy.length > 1 ? 'are' : 'is'} in use`,
    );
  }
}
