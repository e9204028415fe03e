import { createRedisBackend, type BackendFactory, type RedisOptions, type RedisQueueBackend } from 'bullmq';
import { Redis } from 'ioredis';
import { QueuesUnusableError } from './queues.errors.js';

const MINIMUM_MAJOR_VERSION = 7;
const CONNECT_TIMEOUT_MS = 5000;
const LONGEST_RETRY_DELAY_MS = 2000;
/** A Redis that is there answers within milliseconds; one that hangs must hold up nobody. */
const COMMAND_TIMEOUT_MS = 5000;

export function redisOptions(url: string): RedisOptions {
  return { url, retryStrategy: (times: number) => Math.min(times * 200, LONGEST_RETRY_DELAY_MS) };
}

/** Workers wait for a Redis that is away; a producer fails at once, so that a request never hangs on it. */
export const createRedisQueueBackend: BackendFactory<RedisQueueBackend, RedisOptions> = (name, options, role) => {
  if (role?.withBlockingConnection || role?.blocking) return createRedisBackend(name, options, role);
  const connection = { ...options.connection, enableOfflineQueue: false, commandTimeout: COMMAND_TIMEOUT_MS };
  return createRedisBackend(name, { ...options, connection }, role);
};

/** Checks that Redis can be reached and is new enough. */
export async function checkRedis(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: CONNECT_TIMEOUT_MS,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // `connect()` says only "Connection is closed"; the reason comes as an event.
  let reason: Error | undefined;
  redis.on('error', (error: Error) => (reason = error));
  try {
    await redis.connect();
    const version = /^redis_version:(\S+)/m.exec(await redis.info('server'))?.[1] ?? 'an unknown version';
    if (!(Number.parseInt(version, 10) >= MINIMUM_MAJOR_VERSION)) {
      throw new QueuesUnusableError(`Redis 7 or newer is required; ${place(url)} runs ${version}`);
    }
  } catch (error) {
    if (error instanceof QueuesUnusableError) throw error;
    const { message } = reason ?? (error as Error);
    throw new QueuesUnusableError(`Redis at ${place(url)} can't be used: ${message}`, { cause: error });
  } finally {
    redis.disconnect();
  }
}

function place(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 6379}`;
}
