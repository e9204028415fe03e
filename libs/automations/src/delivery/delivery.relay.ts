import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { addInTime } from '@heddle/queues';
import type { JobsOptions, Queue } from 'bullmq';
import type { DataSource, EntityManager, EntitySubscriberInterface, QueryRunner } from 'typeorm';

/** Name of the job that says no more than: look for what is due. */
export const DELIVER_JOB = 'deliver';

/** So many milliseconds lie between two wake-ups of a process under load: a worker takes all that is due at once. */
const WAKE_INTERVAL_MS = 10;

const FORGET: JobsOptions = { removeOnComplete: true, removeOnFail: true };

/** Wakes workers through the queue. What it loses, their sweep finds: nobody waits for it. */
@Injectable()
export class DeliveryRelay implements OnModuleInit {
  private readonly logger = new Logger('Deliveries');
  private readonly waiting = new WeakSet<QueryRunner>();
  private timer: NodeJS.Timeout | undefined;
  /** By `performance.now()`, as every time that a clock which is set back must not make long. */
  private lastWake = -Infinity;

  constructor(
    @InjectQueue('webhooks') private readonly queue: Queue,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    const ended = (queryRunner: QueryRunner, committed: boolean): void => {
      // The end of a savepoint is not yet that of the transaction.
      if (queryRunner.isTransactionActive || !this.waiting.delete(queryRunner)) return;
      if (committed) this.wake();
    };
    const subscriber: EntitySubscriberInterface = {
      afterTransactionCommit: ({ queryRunner }) => ended(queryRunner, true),
      afterTransactionRollback: ({ queryRunner }) => ended(queryRunner, false),
    };
    this.dataSource.subscribers.push(subscriber);
  }

  /** Once the manager's transaction has committed: before, a worker would find nothing. */
  wakeAfterCommit({ queryRunner }: EntityManager): void {
    if (queryRunner?.isTransactionActive) this.waiting.add(queryRunner);
    else this.wake();
  }

  /** Now, or within {@link WAKE_INTERVAL_MS} together with others. */
  wake(): void {
    const wait = Math.max(0, this.lastWake + WAKE_INTERVAL_MS - performance.now());
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.lastWake = performance.now();
      this.add(FORGET);
    }, wait);
  }

  /** At these times: a job for each second, whoever asks for it. */
  wakeAt(times: readonly Date[]): void {
    const seconds = new Set(times.map((time) => Math.ceil(time.getTime() / 1000)));
    for (const second of seconds) {
      this.add({ ...FORGET, jobId: `deliver-at-${second}`, delay: Math.max(0, second * 1000 - Date.now()) });
    }
  }

  private add(options: JobsOptions): void {
    addInTime(this.queue, DELIVER_JOB, options).catch((err: unknown) =>
      this.logger.warn({ err }, 'workers could not be woken: their sweep finds what is due'),
    );
  }
}
