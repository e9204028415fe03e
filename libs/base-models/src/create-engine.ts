import type { Env } from '@heddle/config';
import { EmbeddedEngine, type Engine, SHIPPED_MODELS } from '@heddle/engine';

const MIB = 1024 ** 2;

/** An engine that takes more base models while it works. */
export type GrowingEngine = Engine & Pick<EmbeddedEngine, 'add'>;

/** The engine that ships with Heddle. It reads no weights and starts no thread before it is asked for something. */
export const createEngine = (env: Env): Promise<GrowingEngine> =>
  EmbeddedEngine.create({
    models: SHIPPED_MODELS,
    threads: env.engineThreads,
    cacheBytes: env.ENGINE_CACHE_MB * MIB,
    adapters: env.ENGINE_ADAPTERS,
    memoryBytes: env.ENGINE_MEMORY_MB * MIB,
  });
