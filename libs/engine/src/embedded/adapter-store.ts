import { readAdapter } from '../files/adapter-directory.js';
import type { ModelMemory } from '../model/model-memory.js';
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
export class AdapterStore {
  /** In the order of their last use. */
  private readonly entries = new Map<string, Entry>();
  private nextKey = 1;

  constructor(
    private readonly model: ModelMemory,
    /** Adapters kept in memory; those in use may be more. */
    private readonly limit: number,
    private readonly maxRank: number,
  ) {}

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
    const loading = readAdapter(directory, this.model.config).then((files) => {
      if (files.rank > this.maxRank) {
        throw new EngineError('bad_model', `the adapter has rank ${files.rank}; at most ${this.maxRank} is served`);
      }
      return AdapterMemory.load(this.model, files);
    });
    return { key: this.nextKey++, loading, adapter: null, users: 0 };
  }

  private evict(): void {
    for (const [directory, entry] of this.entries) {
      if (this.entries.size <= this.limit) return;
      if (entry.users > 0 || !entry.adapter) continue;
      this.entries.delete(directory);
      entry.adapter.release();
    }
  }
}
