import { type AdapterFiles, readAdapter } from '../files/adapter-directory.js';
import type { ModelMemory } from '../model/model-memory.js';
import { layoutAdapter } from '../model/weights.layout.js';
import { EngineError } from '../protocol/engine.errors.js';
import { AdapterMemory } from './adapter-memory.js';

interface Entry {
  key: number;
  loading: Promise<AdapterMemory>;
  adapter: AdapterMemory | null;
  users: number;
}

/** An adapter that stays in memory until it is given back. */
export interface HeldAdapter {
  adapter: AdapterMemory;
  /** Differs for any two adapters ever loaded. */
  key: number;
  release(): void;
}

/** Adapters in memory, by directory: loaded when first asked for, and the least lately used given up beyond `limit`. */
export class LoadedAdapters {
  /** In the order of their last use. */
  private readonly entries = new Map<string, Entry>();
  private nextKey = 1;

  constructor(
    private readonly model: ModelMemory,
    /** Adapters kept in memory; those in use may be more. */
    private readonly limit: number,
    private readonly maxRank: number,
  ) {}

  /** Called before one is loaded, with the bytes that it takes. */
  makeRoom: (bytes: number) => Promise<void> = () => Promise.resolve();

  get loaded(): number {
    return this.entries.size;
  }

  /** @throws EngineError `bad_model` */
  async hold(directory: string): Promise<HeldAdapter> {
    const entry = this.entries.get(directory) ?? this.load(directory);
    this.entries.delete(directory);
    this.entries.set(directory, entry);
    entry.users++;
    try {
      entry.adapter = await entry.loading;
    } catch (error) {
      entry.users--;
      if (this.entries.get(directory) === entry) this.entries.delete(directory);
      throw error;
    }
    this.evict();
    let held = true;
    const release = () => {
      if (held) entry.users--;
      held = false;
      this.evict();
    };
    return { adapter: entry.adapter, key: entry.key, release };
  }

  private load(directory: string): Entry {
    const loading = readAdapter(directory, this.model.config).then(async (files) => {
      if (files.rank > this.maxRank) {
        throw new EngineError('bad_model', `the adapter has rank ${files.rank}; at most ${this.maxRank} is served`);
      }
      await this.makeRoom(layoutAdapter(this.model.config, files.rank).size * 4);
      return this.place(files);
    });
    return { key: this.nextKey++, loading, adapter: null, users: 0 };
  }

  private place(files: AdapterFiles): AdapterMemory {
    for (;;) {
      try {
        return AdapterMemory.load(this.model, files);
      } catch (error) {
        if (!(error instanceof EngineError && error.code === 'out_of_memory' && this.dropOldest())) throw error;
      }
    }
  }

  private evict(): void {
    while (this.entries.size > this.limit && this.dropOldest());
  }

  /** The least lately used that nobody uses; false where there is none. */
  private dropOldest(): boolean {
    for (const [directory, { users, adapter }] of this.entries) {
      if (users > 0 || !adapter) continue;
      this.entries.delete(directory);
      adapter.release();
      return true;
    }
    return false;
  }
}
