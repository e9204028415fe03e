import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import type { PlaceRole, TrainingJob, TrainingJobState } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import { ModelAccess, ModelNotFoundError } from '@heddle/models';
import type { DataSource, EntityManager } from 'typeorm';
import type { JobWithWarnings } from '../dto/training-job.dto.js';
import { TrainingJobNotFoundError } from '../training.errors.js';
import { cancellation, JobEndings } from './job-endings.service.js';
import { TrainingQueue } from './training-queue.service.js';
import { type NewJob, TrainingJobsRepository } from './training-jobs.repository.js';

/** Jobs as their users see them: project viewers read, project members write. */
@Injectable()
export class TrainingJobsService {
  constructor(
    private readonly models: ModelAccess,
    private readonly jobs: TrainingJobsRepository,
    private readonly endings: JobEndings,
    private readonly queue: TrainingQueue,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /**
   * Writes a job, and wakes a worker for it. Whether the caller may is for the caller of this to check.
   * @param alongside is done in the same transaction, before: it says what the job's data is
   */
  async add(
    caller: Principal,
    job: Omit<NewJob, 'data'>,
    alongside: (manager: EntityManager) => Promise<string>,
  ): Promise<JobWithWarnings> {
    const added = await this.dataSource.transaction(async (manager) => {
      const data = await alongside(manager);
      const inserted = await this.jobs.insert(manager, caller, { ...job, data });
      // Somebody deleted it since the caller's role was looked up.
      if (!inserted) throw new ModelNotFoundError(job.modelId);
      return inserted;
    });
    await this.queue.wake(added.id);
    return { job: added, warnings: [] };
  }

  async get(caller: Principal, id: string): Promise<JobWithWarnings> {
    const [found] = await this.withWarnings([await this.find(caller, id)]);
    return found!;
  }

  async list(
    caller: Principal,
    modelId: string,
    state: TrainingJobState | undefined,
    query: PageQuery,
  ): Promise<JobWithWarnings[]> {
    const { model } = await this.models.find(caller, modelId);
    return this.withWarnings(await this.jobs.findPage(model.id, state, query));
  }

  /**
   * One that waits is over at once; one that runs stops within a second or two, and is RUNNING until then. One that has
   * ended stays as it is.
   */
  async cancel(caller: Principal, id: string): Promise<JobWithWarnings> {
    await this.find(caller, id, 'member');
    const waits = { sql: `id = $1 AND state = 'QUEUED'`, values: [id] as const };
    const ended = await this.dataSource.transaction((manager) =>
      this.endings.end(manager, waits, cancellation(), caller),
    );
    if (!ended) await this.jobs.requestCancel(id);
    return this.get(caller, id);
  }

  /** The job, for callers with this role in its project. @throws TrainingJobNotFoundError for those with none */
  async find(caller: Principal, id: string, role: PlaceRole = 'viewer'): Promise<TrainingJob> {
    const job = await this.jobs.find(id);
    if (!job) throw new TrainingJobNotFoundError(id);
    try {
      await this.models.find(caller, job.modelId, role);
      return job;
    } catch (error) {
      // Whoever may not know the job must not learn that it is there.
      throw error instanceof ModelNotFoundError ? new TrainingJobNotFoundError(id) : error;
    }
  }

  private async withWarnings(jobs: readonly TrainingJob[]): Promise<JobWithWarnings[]> {
    const starts = await this.jobs.findStarts(jobs.map(({ id }) => id));
    return jobs.map((job) => ({ job, warnings: (starts.get(job.id)?.['warnings'] as string[] | undefined) ?? [] }));
  }
}
