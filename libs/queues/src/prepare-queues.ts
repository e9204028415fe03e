import type { Env } from '@heddle/config';
import { migratePostgresQueues } from './postgres-queues.js';
import { QueuesUnusableError } from './queues.errors.js';
import { checkRedis } from './redis-queues.js';

/**
 * Checks that the queues' server can be reached and is new enough, and makes their schema. Every process calls it before
 * it creates its application. Throws a {@link QueuesUnusableError}.
 */
export async function prepareQueues(env: Env): Promise<void> {
  if (env.REDIS_URL) return checkRedis(env.REDIS_URL);
  if (!env.directDatabaseUrl) throw new QueuesUnusableError('The queues need DATABASE_URL or REDIS_URL');
  return migratePostgresQueues(env.directDatabaseUrl, env.QUEUE_PREFIX);
}
