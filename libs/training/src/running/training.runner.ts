import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { BaseModelDownloadingError, BaseModelsService } from '@heddle/base-models';
import { EngineError } from '@heddle/engine';
import { ApiError } from '@heddle/http';
import { ModelNotFoundError } from '@heddle/models';
import { isOutage, waitOut } from '@heddle/database';
import { FilesUnavailableError } from '@heddle/storage';
import type { DataSource } from 'typeorm';
import { cancellation, type Ending, failure, JobEndingsService } from '../jobs/job-endings.service.js';
import { JobNewsService } from '../jobs/job-news.service.js';
import { TrainingQueue } from '../jobs/training.queue.js';
import { JobFailedError, JobLostError } from '../training.errors.js';
import { JobLease } from './job-lease.js';
import {
  type ClaimedJob,
  HELD,
  holderOf,
  MAX_ATTEMPTS,
  TrainingClaimsRepository,
} from './training-claims.repository.js';
import { TrainingAttemptService } from './training-attempt.service.js';
import { WorkFoldersService } from './work-folders.service.js';

/** What another attempt may do better. */
const PASSING = ['thread_died', 'unavailable', 'cancelled', 'closed'];
const BROKEN = 'Training failed inside the server: its log says why';

/** Takes jobs and brings each to its end, whatever that is. */
@Injectable()
export class TrainingRunner implements OnModuleDestroy {
  private readonly logger = new Logger('Training');
  private readonly workerId = randomUUID();
  private readonly leases = new Set<JobLease>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly claims: TrainingClaimsRepository,
    private readonly attempt: TrainingAttemptService,
    private readonly endings: JobEndingsService,
    private readonly news: JobNewsService,
    private readonly queue: TrainingQueue,
    private readonly bases: BaseModelsService,
    private readonly folders: WorkFoldersService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Jobs that this process trains at this moment. */
  get running(): number {
    return this.leases.size;
  }

  /** Jobs of this process are not waited for: another one begins them again at once. The queue's workers close after this. */
  onModuleDestroy(): void {
    this.stopping.abort();
    for (const lease of this.leases) lease.stop('stopping');
  }

  /** Runs what may run, one after the other. Of one model one job runs at a time, wherever. */
  async runAll(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const job = await this.claim();
      if (!job) return;
      await this.run(job);
    }
  }

  private claim(): Promise<ClaimedJob | null> {
    return this.dataSource.transaction(async (manager) => {
      const job = await this.claims.claim(manager, this.workerId, this.bases.inState('downloading'));
      if (job?.isFirstStart) {
        const actor = { userId: job.createdById, username: job.createdBy };
        await this.news.publish(manager, actor, { ...job, step: null }, 'RUNNING');
      }
      return job;
    });
  }

  private async run(job: ClaimedJob): Promise<void> {
    const lease = new JobLease(job, this.claims);
    this.leases.add(lease);
    if (this.stopping.signal.aborted) lease.stop('stopping');
    try {
      await this.attempt.run(job, lease.signal);
    } catch (error) {
      await this.settle(job, lease, error);
    } finally {
      lease.end();
      this.leases.delete(lease);
    }
  }

  private async settle(job: ClaimedJob, lease: JobLease, error: unknown): Promise<void> {
    if (error instanceof JobLostError || error instanceof ModelNotFoundError) return;
    switch (lease.stopped) {
      case 'lost':
        return;
      case 'cancelled':
        return this.end(job, cancellation());
      case 'stopping':
        await this.claims.release(job, false);
        return this.queue.wake(job.id, `again-${job.attempts}`);
      case null:
        return this.fail(job, error);
    }
  }

  /** An error for the user is the job's end; one of ours is tried again, as long as there are attempts left. */
  private async fail(job: ClaimedJob, error: unknown): Promise<void> {
    // The watchdog finds it again, as often as it takes.
    const passes = error instanceof BaseModelDownloadingError || error instanceof FilesUnavailableError;
    if (passes || isOutage(error)) return this.release(job, false);
    const isEngines = error instanceof EngineError;
    const isForUser = error instanceof JobFailedError || error instanceof ApiError;
    if (isForUser || (isEngines && !PASSING.includes(error.code))) return this.end(job, failure(error.message));
    this.logger.error({ err: error, trainingJobId: job.id, attempts: job.attempts }, 'training job failed');
    if (job.attempts >= MAX_ATTEMPTS) return this.end(job, failure(isEngines ? error.message : BROKEN));
    await this.release(job, true);
  }

  private release(job: ClaimedJob, counts: boolean): Promise<void> {
    return waitOut(() => this.claims.release(job, counts), this.stopping.signal);
  }

  private async end(job: ClaimedJob, ending: Ending): Promise<void> {
    const condition = { sql: HELD, values: holderOf(job) };
    const end = () => this.dataSource.transaction((manager) => this.endings.end(manager, condition, ending));
    await waitOut(end, this.stopping.signal);
    await this.folders.forgetState(job.id);
  }
}
