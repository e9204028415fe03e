import type { DiscoveryService, ModuleRef } from '@nestjs/core';
import { type Job, type Queue, UnrecoverableError } from 'bullmq';
import { type JobHandler, type JobHandlerOptions } from './job-handler.js';
import { JobRouter } from './job.router.js';

const HOUR_MS = 3_600_000;

/** A queue that remembers what repeats on it. */
class PlannedQueue {
  constructor(readonly planned = new Map<string, { next?: number; every?: number }>()) {}

  async getJobSchedulers(): Promise<{ key: string; next?: number }[]> {
    return [...this.planned].map(([key, { next }]) => ({ key, ...(next !== undefined && { next }) }));
  }

  async removeJobScheduler(key: string): Promise<void> {
    this.planned.delete(key);
  }

  async upsertJobScheduler(key: string, { every }: { every: number }): Promise<void> {
    this.planned.set(key, { next: Date.now() + every, every });
  }
}

function routerOf(handlers: [JobHandlerOptions, JobHandler['handle']][], queues: Record<string, PlannedQueue> = {}) {
  const wrappers = handlers.map(([options, handle]) => ({ metatype: class {}, instance: { handle }, options }));
  const discovery = {
    getProviders: () => wrappers,
    getMetadataByDecorator: (_: unknown, { options }: { options: JobHandlerOptions }) => options,
  };
  const of = (token: string): PlannedQueue => queues[token.replace('BullQueue_', '')] ?? new PlannedQueue();
  const modules = { get: (token: string) => of(token) as unknown as Queue };
  return new JobRouter(discovery as unknown as DiscoveryService, modules as unknown as ModuleRef);
}

const job = (name: string, queueName: string): Job => ({ name, queueName, data: { of: name } }) as Job;

describe('JobRouter', () => {
  const prune: [JobHandlerOptions, JobHandler['handle']] = [
    { name: 'prune', queues: ['cpu'], every: HOUR_MS },
    async ({ data }: Job) => ({ pruned: data as unknown }),
  ];

  it('hands a job to the handler of its name and queue, and gives what that gives', async () => {
    const router = routerOf([[{ name: 'other', queues: ['cpu'] }, async () => 'other'], prune]);
    expect(await router.run(job('prune', 'cpu'))).toEqual({ pruned: { of: 'prune' } });
  });

  it.each([
    ['unknown', 'cpu'],
    ['prune', 'gpu'],
  ])('fails the job %s on %s for good: no later attempt would find a handler', async (name, queue) => {
    await expect(routerOf([prune]).run(job(name, queue))).rejects.toThrow(UnrecoverableError);
  });

  it('plans what repeats, and forgets what no longer does', async () => {
    const cpu = new PlannedQueue(new Map([['gone', { next: Date.now() }]]));
    const router = routerOf([prune], { cpu });
    await router.onApplicationBootstrap();
    router.beforeApplicationShutdown();
    expect([...cpu.planned.keys()]).toEqual(['prune']);
    expect(cpu.planned.get('prune')).toMatchObject({ every: HOUR_MS });
  });

  it('plans anew what the server has lost, or would not start until long after it is due', async () => {
    const cpu = new PlannedQueue();
    const router = routerOf([prune], { cpu });
    await router.planForgotten();
    expect([...cpu.planned.keys()]).toEqual(['prune']);
    cpu.planned.set('prune', { next: Date.now() + 100 * HOUR_MS });
    await router.planForgotten();
    expect(cpu.planned.get('prune')!.next).toBeLessThanOrEqual(Date.now() + HOUR_MS);
  });
});
