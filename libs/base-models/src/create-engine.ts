import type { Env } from '@heddle/config';
import { EmbeddedEngine, type Engine, SHIPPED_MODELS } from '@heddle/engine';

const MIB = 1024 ** 2;

/** The engine that ships with Heddle. It reads no weights and starts no thread before it is asked for something. */
export const createEngine = (env: Env): Promise<Engine> =>
  EmbeddedEngine.create({
    models: SHIPPED_MODELS,
    threads: env.engineThreads,
    cacheBytes: env.ENGINE_CACHE_MB * MIB,
    adapters: env.ENGINE_ADAPTERS,
    memoryBytes: env.ENGINE_MEMORY_MB * MIB,
  });
