import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Env } from '@heddle/config';
import { type BackendFactory, type ConnectionOptions, type IQueueBackend } from 'bullmq';
import { claimPatiently } from './patient-backend.js';
import { PostgresQueues } from './postgres-queues.js';
import { QueuesUnusableError } from './queues.errors.js';
import { createRedisQueueBackend, redisOptions } from './redis-queues.js';

/** Where this application's queues live: Redis if it is set, else PostgreSQL. */
@Injectable()
export class QueueConnection implements OnApplicationShutdown {
  /** Absent on Redis. */
  readonly postgres?: PostgresQueues;
  /** What every queue and worker gets as its `connection`. */
  readonly options: ConnectionOptions;

  constructor(env: Env) {
    if (env.REDIS_URL) {
      this.options = redisOptions(env.REDIS_URL);
      return;
    }
    if (!env.directDatabaseUrl) throw new QueuesUnusableError('The queues need DATABASE_URL or REDIS_URL');
    this.postgres = new PostgresQueues(env.directDatabaseUrl, env.QUEUE_PREFIX);
    this.options = { postgres: this.postgres };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.postgres?.close();
  }
}

/** BullMQ has one backend factory for the whole process; ours looks at what the queue was given. */
export const createQueueBackend: BackendFactory<IQueueBackend> = (name, options, role) => {
  const { connection } = options;
  const postgres: unknown = 'postgres' in connection ? connection.postgres : undefined;
  const backend =
    postgres instanceof PostgresQueues
      ? postgres.createBackend(name, options, role)
      : createRedisQueueBackend(name, options, role);
  return claimPatiently(backend);
};
