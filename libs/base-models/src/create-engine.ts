import type { Env } from '@heddle/config';
import { type Engine, Engines, SHIPPED_MODELS } from '@heddle/engine';

const MIB = 1024 ** 2;

/** An engine that takes more base models while it works, and says which other machines they need. */
export type GrowingEngine = Engine & Pick<Engines, 'add' | 'servers'>;

/** The engine that ships with Heddle, and those on other machines that base models name. It reads no weights and starts no thread before it is asked for something. */
export const createEngine = (env: Env): Promise<GrowingEngine> =>
  Engines.create({
    models: SHIPPED_MODELS,
    threads: env.engineThreads,
    cacheBytes: env.ENGINE_CACHE_MB * MIB,
    adapters: env.ENGINE_ADAPTERS,
    memoryBytes: env.ENGINE_MEMORY_MB * MIB,
  });
