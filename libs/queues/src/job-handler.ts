import { DiscoveryService } from '@nestjs/core';
import type { Job } from 'bullmq';
import type { QueueName } from './queue-names.js';

export interface JobHandlerOptions {
  /** Name of the jobs that it takes. */
  name: string;
  queues: readonly QueueName[];
  /** Also run without being asked, on its first queue: every so many milliseconds, once among all workers. */
  every?: number;
}

/** Takes the jobs of one name. A throw is the retry, if the job was added with `attempts`. */
export interface JobHandler {
  /** What it returns is kept with the job for an hour. */
  handle(job: Job, token?: string): Promise<unknown>;
}

/**
 * Registers a provider as a {@link JobHandler}; the worker finds it in whatever module provides it, the API ignores it.
 *
 *     @HandlesJob({ name: 'prune-calls', queues: ['cpu'], every: 3_600_000 })
 *     export class PruneCallsHandler implements JobHandler { ... }
 */
export const HandlesJob = DiscoveryService.createDecorator<JobHandlerOptions>();
