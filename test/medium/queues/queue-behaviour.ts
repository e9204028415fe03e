import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { getQueueToken } from '@nestjs/bullmq';
import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { ConfigModule, Env } from '@heddle/config';
import { DatabaseModule } from '@heddle/database';
import { WorkerHealthModule } from '@heddle/health';
import { HandlesJob, type JobHandler, JobRouter, prepareQueues, type QueueName, QueuesModule } from '@heddle/queues';
import { type Job, type Queue, Worker } from 'bullmq';
import { CpuWorker } from '../../../apps/worker/src/cpu.worker.js';
import { GpuWorker, TRAINING_SLOTS } from '../../../apps/worker/src/gpu.worker.js';

const DAY_MS = 24 * 3600 * 1000;

/** Jobs wait in it until the test opens it. */
class Gate {
  readonly opened: Promise<void>;
  open!: () => void;

  constructor() {
    this.opened = new Promise((resolve) => (this.open = resolve));
  }
}

let gate: Gate;

@HandlesJob({ name: 'echo', queues: ['webhooks', 'cpu', 'gpu'] })
class EchoHandler implements JobHandler {
  async handle(job: Job): Promise<unknown> {
    return { queue: job.queueName, said: job.data };
  }
}

@HandlesJob({ name: 'wait', queues: ['cpu', 'gpu'] })
class WaitHandler implements JobHandler {
  async handle(): Promise<unknown> {
    await gate.opened;
    return 'done';
  }
}

@HandlesJob({ name: 'upkeep', queues: ['cpu'], every: 3_600_000 })
class UpkeepHandler implements JobHandler {
  async handle(): Promise<unknown> {
    return 'kept up';
  }
}

@Module({ providers: [EchoHandler, WaitHandler, UpkeepHandler] })
class FeatureModule {}

/** The product's workers with the test's own jobs. */
@Module({})
class TestWorkerModule {
  static forRoot(env: Env, features: NonNullable<DynamicModule['imports']>): DynamicModule {
    return {
      module: TestWorkerModule,
      imports: [
        ConfigModule.forRoot(env),
        DatabaseModule.forRoot('test'),
        QueuesModule.forRoot(),
        DiscoveryModule,
        WorkerHealthModule,
        ...features,
      ],
      providers: [JobRouter, CpuWorker, GpuWorker],
    };
  }
}

/** A process that adds jobs and takes none. */
@Module({})
class ApiSideModule {
  static forRoot(env: Env): DynamicModule {
    return { module: ApiSideModule, imports: [ConfigModule.forRoot(env), QueuesModule.forRoot()] };
  }
}

/** What holds on PostgreSQL and on Redis. `settings` are asked for before each test. */
export function describeQueues(settings: () => Promise<Record<string, string>>): void {
  describe('queues', () => {
    let env: Env;
    let worker: INestApplicationContext;
    const started: INestApplicationContext[] = [];
    const startWorker = (features = [FeatureModule]): Promise<INestApplicationContext> =>
      start(TestWorkerModule.forRoot(env, features));
    const queue = (name: QueueName, of = worker): Queue => of.get<Queue>(getQueueToken(name), { strict: false });

    async function start(module: DynamicModule): Promise<INestApplicationContext> {
      const context = await NestFactory.createApplicationContext(module, { logger: false });
      started.push(context);
      return context;
    }

    async function finished(name: QueueName, id: string | undefined): Promise<Job> {
      for (;;) {
        const job = await queue(name).getJob(id ?? '');
        if (job?.finishedOn) return job;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }

    async function until(name: QueueName, counts: Record<string, number>): Promise<void> {
      const states = Object.keys(counts) as Parameters<Queue['getJobCounts']>;
      for (;;) {
        const now = await queue(name).getJobCounts(...states);
        if (states.every((state) => now[state] === counts[state])) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }

    beforeEach(async () => {
      gate = new Gate();
      env = Env.from({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...(await settings()) });
      await prepareQueues(env);
      worker = await startWorker();
    });

    afterEach(async () => {
      gate.open();
      await Promise.all(started.splice(0).map((context) => context.close()));
    });

    it('hands a job to the handler of its name', async () => {
      const job = await queue('cpu').add('echo', { text: 'hello' });
      expect((await finished('cpu', job.id)).returnvalue).toEqual({ queue: 'cpu', said: { text: 'hello' } });
    });

    it('fails a job that no handler takes, whatever attempts it has left', async () => {
      const job = await queue('cpu').add('unheard-of', {}, { attempts: 5 });
      const { failedReason, attemptsMade } = await finished('cpu', job.id);
      expect(failedReason).toBe('no handler for the job unheard-of on cpu');
      expect(attemptsMade).toBe(1);
    });

    it('answers a probe while every training slot is taken, and lets further training wait', async () => {
      const add = (name: string) => queue('gpu').add(name, {});
      await Promise.all(Array.from({ length: TRAINING_SLOTS + 2 }, () => add('wait')));
      await until('gpu', { active: TRAINING_SLOTS, delayed: 2 });
      const probe = await queue('gpu').add('probe', {}, { lifo: true });
      expect((await finished('gpu', probe.id)).failedReason).toBeUndefined();
      await until('gpu', { active: TRAINING_SLOTS });

      gate.open();
      await until('gpu', { active: 0, delayed: 0, waiting: 0 });
      expect(await queue('gpu').getJobCountByTypes('failed')).toBe(0);
    });

    it('lets a running job end before it shuts down', async () => {
      const job = await queue('cpu').add('wait', {});
      // Upkeep may be what is active just now.
      while (!(await job.isActive())) await new Promise((resolve) => setTimeout(resolve, 20));
      const closed = worker.close();
      gate.open();
      await closed;
      worker = await startWorker();
      expect((await queue('cpu').getJob(job.id!))?.returnvalue).toBe('done');
    });

    it('starts a job again whose worker vanished', async () => {
      await worker.close();
      worker = await start(ApiSideModule.forRoot(env));
      const job = await queue('cpu').add('echo', 'again');
      const { connection, prefix } = queue('cpu').opts;
      const options = { connection, prefix, autorun: false, lockDuration: 1000 };
      const vanishing = new Worker('cpu', null, { ...options, skipLockRenewal: true });
      expect((await vanishing.getNextJob('token'))?.id).toBe(job.id);
      await vanishing.close(true);
      await worker.close();

      worker = await startWorker();
      expect((await finished('cpu', job.id)).returnvalue).toEqual({ queue: 'cpu', said: 'again' });
    });

    it('runs upkeep once, however many workers there are', async () => {
      await startWorker();
      expect(await queue('cpu').getJobSchedulers()).toMatchObject([{ key: 'upkeep', every: 3_600_000 }]);
      await until('cpu', { completed: 1, delayed: 1 });
    });

    it('plans upkeep again that the server has lost, and leaves alone what it has', async () => {
      const router = worker.get(JobRouter);
      // When it comes next moves on by itself, with each run; at which moments of the hour it runs does not.
      const moments = async (): Promise<unknown[]> =>
        (await queue('cpu').getJobSchedulers()).map(({ key, offset }) => ({ key, offset }));
      const before = await moments();
      await router.planForgotten();
      expect(await moments()).toEqual(before);
      await queue('cpu').removeJobScheduler('upkeep');
      await router.planForgotten();
      expect(await queue('cpu').getJobSchedulers()).toMatchObject([{ key: 'upkeep', every: 3_600_000 }]);
    });

    it.each([
      ['while workers run', (): Promise<void> => worker.get(JobRouter).planForgotten()],
      ['before a worker starts', async (): Promise<void> => void (await startWorker())],
    ])('plans upkeep for soon when the clock was set back %s', async (_, look) => {
      await queue('cpu').removeJobScheduler('upkeep');
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => new Date().getTime() + DAY_MS);
      await queue('cpu').upsertJobScheduler('upkeep', { every: 3_600_000 }, { name: 'upkeep' });
      const planned = (await queue('cpu').getJobSchedulers())[0]!.next!;
      clock.mockRestore();
      expect(planned).toBeGreaterThan(Date.now() + DAY_MS / 2);
      await look();
      expect((await queue('cpu').getJobSchedulers())[0]!.next).toBeLessThan(Date.now() + 3_700_000);
    });

    it('forgets upkeep that is no longer in the code', async () => {
      await startWorker([]);
      expect(await queue('cpu').getJobSchedulers()).toEqual([]);
      await until('cpu', { delayed: 0 });
    });
  });
}
