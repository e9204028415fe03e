import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import type { Job, WorkerOptions } from 'bullmq';
import { JobRouter } from './job.router.js';

/**
 * A job whose worker was killed is found within lock + interval, 15 s (BullMQ's defaults take a minute), and started
 * again so many times: the process may have died of the job itself.
 */
export const WORKER_OPTIONS = {
  lockDuration: 10_000,
  stalledInterval: 5_000,
  maxStalledCount: 3,
  /** After an outage of the queues' server. */
  runRetryDelay: 2_000,
} satisfies Partial<WorkerOptions>;

/** What the worker of every queue has in common; a subclass adds `@Processor(queue, WORKER_OPTIONS)`. */
export abstract class QueueWorker extends WorkerHost implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Queues');

  constructor(private readonly router: JobRouter) {
    super();
  }

  process(job: Job, token?: string): Promise<unknown> {
    return this.router.run(job, token);
  }

  /** Takes no more jobs and lets the running ones end, while the database is still there. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.close();
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job | undefined, err: Error): void {
    const { id, name, queueName, attemptsMade } = job ?? {};
    this.logger.warn({ err, jobId: id, job: name, queue: queueName, attemptsMade }, 'job failed');
  }

  @OnWorkerEvent('error')
  onError(err: Error): void {
    this.logger.warn({ err, queue: this.worker.name }, 'worker error');
  }
}
