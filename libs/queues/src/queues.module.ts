import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Env } from '@heddle/config';
import { type DefaultJobOptions, setDefaultBackendFactory } from 'bullmq';
import { createQueueBackend, QueueConnection } from './queue.connection.js';
import { QueueErrorsService } from './queue-errors.service.js';
import { QUEUE_NAMES } from './queue-names.js';

/** What is done is kept for a look back, and bounded: rows in PostgreSQL tell the history. Ages are in seconds. */
const RETENTION = {
  removeOnComplete: { age: 3600, count: 1000 },
  removeOnFail: { age: 7 * 24 * 3600, count: 1000 },
} satisfies DefaultJobOptions;

/** Nobody reads BullMQ's event log, and it can't be turned off. */
const EVENTS_KEPT = 100;

@Module({ providers: [QueueConnection], exports: [QueueConnection] })
class QueueConnectionModule {}

/** Every queue, injectable everywhere with `@InjectQueue('cpu')`. Call `prepareQueues` before. */
@Global()
@Module({})
export class QueuesModule {
  static forRoot(): DynamicModule {
    setDefaultBackendFactory(createQueueBackend);
    const bull = BullModule.forRootAsync({
      imports: [QueueConnectionModule],
      inject: [QueueConnection, Env],
      useFactory: (connection: QueueConnection, env: Env) => ({
        connection: connection.options,
        prefix: env.QUEUE_PREFIX,
        defaultJobOptions: RETENTION,
        streams: { events: { maxLen: EVENTS_KEPT } },
      }),
    });
    const queues = BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name })));
    return {
      module: QueuesModule,
      imports: [QueueConnectionModule, bull, queues],
      providers: [QueueErrorsService],
      exports: [QueueConnectionModule, queues],
    };
  }
}
