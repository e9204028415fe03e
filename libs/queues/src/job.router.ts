import { getQueueToken } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { type Job, type Queue, UnrecoverableError } from 'bullmq';
import { HandlesJob, type JobHandler, type JobHandlerOptions } from './job-handler.js';
import { QUEUE_NAMES, type QueueName } from './queue-names.js';

/** So often it is looked whether what repeats is still planned: a Redis that was flushed forgot it. */
const LOOK_AGAIN_MS = 60_000;

/** Workers' clocks differ by less. */
const CLOCK_SLACK_MS = 5000;

/** One that was planned before the clock was set back would be waited for until the clock is there again. */
const isSoon = (next: number | undefined, every: number): boolean =>
  next !== undefined && next <= Date.now() + every + CLOCK_SLACK_MS;

type Registration = JobHandlerOptions & { handler: JobHandler };

/** Hands each job to the handler of its name: a BullMQ worker takes any job of its queue, so there is one for each queue. */
@Injectable()
export class JobRouter implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Queues');
  private timer: NodeJS.Timeout | undefined;
  private registrations?: readonly Registration[];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModuleRef,
  ) {}

  /** Plans what repeats, and forgets what no longer does. */
  async onApplicationBootstrap(): Promise<void> {
    for (const name of QUEUE_NAMES) await this.schedule(name);
    this.timer = setInterval(() => void this.planForgotten(), LOOK_AGAIN_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Plans anew what repeats and that the queues' server has lost, or has for a time that won't come for long. */
  async planForgotten(): Promise<void> {
    try {
      for (const name of QUEUE_NAMES) {
        const next = await this.nextTimes(name);
        const wrong = this.repeatedOn(name).filter((each) => !isSoon(next.get(each.name), each.every!));
        for (const each of wrong) if (next.has(each.name)) await this.queue(name).removeJobScheduler(each.name);
        await this.plan(name, wrong);
      }
    } catch (err) {
      this.logger.warn({ err }, 'could not look whether repeated jobs are still planned');
    }
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
    const wanted = this.repeatedOn(name);
    for (const [key, next] of await this.nextTimes(name)) {
      const every = wanted.find((each) => each.name === key)?.every;
      if (every === undefined || !isSoon(next, every)) await this.queue(name).removeJobScheduler(key);
    }
    await this.plan(name, wanted);
  }

  private async nextTimes(name: QueueName): Promise<Map<string, number | undefined>> {
    return new Map((await this.queue(name).getJobSchedulers()).map(({ key, next }) => [key, next]));
  }

  private async plan(queue: QueueName, repeated: readonly Registration[]): Promise<void> {
    for (const { name, every } of repeated) await this.queue(queue).upsertJobScheduler(name, { every }, { name });
  }

  private repeatedOn(name: QueueName): Registration[] {
    return this.all().filter(({ queues, every }) => every && queues[0] === name);
  }

  private queue(name: QueueName): Queue {
    return this.modules.get<Queue>(getQueueToken(name), { strict: false });
  }

  /** Found at first use: workers may take jobs before the last module is initialised. */
  private all(): readonly Registration[] {
    return (this.registrations ??= this.discovery.getProviders().flatMap((wrapper) => {
      const options = wrapper.metatype && this.discovery.getMetadataByDecorator(HandlesJob, wrapper);
      return options ? [{ ...options, handler: wrapper.instance as JobHandler }] : [];
    }));
  }
}
