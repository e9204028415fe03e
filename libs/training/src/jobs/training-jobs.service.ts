import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import type { PlaceRole, TrainingJob, TrainingJobState } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import { ModelAccessService, ModelNotFoundError } from '@heddle/models';
import type { DataSource, EntityManager } from 'typeorm';
import type { JobWithWarnings } from './training-job.dto.js';
import { RequestKeyReusedError, TrainingJobNotFoundError } from '../training.errors.js';
import { cancellation, JobEndingsService } from './job-endings.service.js';
import { TrainingQueue } from './training.queue.js';
import { type JobFilter, type NewJob, TrainingJobsRepository } from './training-jobs.repository.js';

/** Jobs as their users see them: project viewers read, project members write. */
@Injectable()
export class TrainingJobsService {
  constructor(
    private readonly models: ModelAccessService,
    private readonly jobs: TrainingJobsRepository,
    private readonly endings: JobEndingsService,
    private readonly queue: TrainingQueue,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /**
   * Writes a job, and wakes a worker for it. Whether the caller may is for the caller of this to check. A request that is
   * repeated makes no second job, but gets the first one.
   * @param alongside is done in the same transaction, before: it says what the job's data is
   * @throws RequestKeyReusedError for another request of the same name
   */
  async add(
    caller: Principal,
    job: Omit<NewJob, 'data'>,
    alongside: (manager: EntityManager) => Promise<string>,
  ): Promise<JobWithWarnings> {
    const { added, isNew } = await this.dataSource.transaction(async (manager) => {
      // Somebody deleted it since the caller's role was looked up.
      if (!(await this.jobs.lockModel(manager, job.modelId))) throw new ModelNotFoundError(job.modelId);
      const first = await this.jobs.findByRequest(manager, caller, job);
      if (first) return { added: requireSame(first, job), isNew: false };
      return {
        added: await this.jobs.insert(manager, caller, { ...job, data: await alongside(manager) }),
        isNew: true,
      };
    });
    if (!isNew) return (await this.withWarnings([added]))[0]!;
    void this.queue.wake(added.id);
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

  /** Of all models that the caller may see. */
  async listAll(caller: Principal, filter: JobFilter, query: PageQuery): Promise<JobWithWarnings[]> {
    return this.withWarnings(await this.jobs.findVisiblePage(caller, filter, query));
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

function requireSame(first: TrainingJob, { kind, config, requestKey }: Omit<NewJob, 'data'>): TrainingJob {
  if (first.kind === kind && first.config === config) return first;
  throw new RequestKeyReusedError(requestKey!, first.id);
}
