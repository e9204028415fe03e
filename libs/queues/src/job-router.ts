import { getQueueToken } from '@nestjs/bullmq';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { type Job, type Queue, UnrecoverableError } from 'bullmq';
import { HandlesJob, type JobHandler, type JobHandlerOptions } from './job-handler.js';
import { QUEUE_NAMES, type QueueName } from './queue-names.js';

type Registration = JobHandlerOptions & { handler: JobHandler };

/** Hands each job to the handler of its name: a BullMQ worker takes any job of its queue, so there is one for each queue. */
@Injectable()
export class JobRouter implements OnApplicationBootstrap {
  private registrations?: readonly Registration[];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModuleRef,
  ) {}

  /** Plans what repeats, and forgets what no longer does. */
  async onApplicationBootstrap(): Promise<void> {
    for (const name of QUEUE_NAMES) await this.schedule(name);
  }

  async run(job: Job, token?: string): Promise<unknown> {
    const found = this.all().find(
      ({ name, queues }) => name === job.name && queues.includes(job.queueName as QueueName),
    );
    // No later attempt would find one either.
    if (!found) throw new UnrecoverableError(`no handler for the job ${job.name} on ${job.queueName}`);
    return found.handler.handle(job, token);
  }

  private async schedule(name: QueueName): Promise<void> {
    const queue: Queue = this.modules.get(getQueueToken(name), { strict: false });
    const wanted = this.all().filter(({ queues, every }) => every && queues[0] === name);
    for (const { name: job, every } of wanted) await queue.upsertJobScheduler(job, { every }, { name: job });
    for (const { key } of await queue.getJobSchedulers()) {
      if (!wanted.some((each) => each.name === key)) await queue.removeJobScheduler(key);
    }
  }

  /** Found at first use: workers may take jobs before the last module is initialised. */
  private all(): readonly Registration[] {
    return (this.registrations ??= this.discovery.getProviders().flatMap((wrapper) => {
      const options = wrapper.metatype && this.discovery.getMetadataByDecorator(HandlesJob, wrapper);
      return options ? [{ ...options, handler: wrapper.instance as JobHandler }] : [];
    }));
  }
}
