import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import { TrainingJob, TrainingJobEvent, type TrainingJobKind, type TrainingJobState } from '@heddle/database';
import type { Actor } from '@heddle/events';
import { findPage, type PageQuery } from '@heddle/http';
import { type EntityManager, In, type Repository } from 'typeorm';
import { JobNewsService } from './job-news.service.js';

export type NewJob = Pick<TrainingJob, 'modelId' | 'kind' | 'config' | 'data' | 'requestKey'>;

export interface JobFilter {
  entity?: string | undefined;
  project?: string | undefined;
  modelId?: string | undefined;
  kind?: TrainingJobKind | undefined;
  state?: TrainingJobState | undefined;
}

/** Models of the caller's teams, and of projects of others that are granted to the caller. */
const VISIBLE = `job.modelId IN (
  SELECT m.id FROM models m JOIN projects p ON p.id = m.project_id JOIN teams t ON t.id = p.team_id
   WHERE (CAST(:entity AS text) IS NULL OR t.name = :entity) AND (CAST(:project AS text) IS NULL OR p.name = :project)
     AND (t.id = ANY(:teamIds)
      OR EXISTS (SELECT FROM project_members g WHERE g.project_id = p.id AND g.user_id = :userId)))`;

const REQUEST_CANCEL = `
  UPDATE training_jobs SET cancel_requested_at = coalesce(cancel_requested_at, now()) WHERE id = $1 AND state = 'RUNNING'`;

@Injectable()
export class TrainingJobsRepository {
  constructor(
    @InjectRepository(TrainingJob) private readonly jobs: Repository<TrainingJob>,
    private readonly news: JobNewsService,
  ) {}

  /**
   * Holds the model against others who add jobs: these become visible in the order of their sequence, since whoever claims
   * one must see those before it. @returns false where the model is gone
   */
  async lockModel(manager: EntityManager, modelId: string): Promise<boolean> {
    const models = await manager.query<unknown[]>('SELECT 1 FROM models WHERE id = $1 FOR NO KEY UPDATE', [modelId]);
    return models.length > 0;
  }

  /** While the model is locked. */
  async insert(manager: EntityManager, actor: Actor, fields: NewJob): Promise<TrainingJob> {
    const author = { createdById: actor.userId, createdBy: actor.username };
    const { identifiers } = await manager.insert(TrainingJob, { ...fields, ...author });
    const job = await manager.findOneByOrFail(TrainingJob, { id: (identifiers[0] as { id: string }).id });
    await this.news.publish(manager, actor, job, job.state);
    return job;
  }

  /** The job that a request of this name has made. */
  async findByRequest(
    manager: EntityManager,
    { userId }: Actor,
    { modelId, requestKey }: Pick<NewJob, 'modelId' | 'requestKey'>,
  ): Promise<TrainingJob | null> {
    return requestKey === null ? null : manager.findOneBy(TrainingJob, { modelId, createdById: userId, requestKey });
  }

  find(id: string): Promise<TrainingJob | null> {
    return this.jobs.findOneBy({ id });
  }

  findPage(modelId: string, state: TrainingJobState | undefined, query: PageQuery): Promise<TrainingJob[]> {
    const jobs = this.jobs.createQueryBuilder('job').where('job.modelId = :modelId', { modelId });
    if (state) jobs.andWhere('job.state = :state', { state });
    return findPage(jobs, query);
  }

  /** Of all models that a user may see. */
  findVisiblePage(
    { teams, userId }: Principal,
    { entity, project, modelId, kind, state }: JobFilter,
    query: PageQuery,
  ): Promise<TrainingJob[]> {
    const teamIds = [...teams.values()].map(({ teamId }) => teamId);
    const jobs = this.jobs.createQueryBuilder('job').where(VISIBLE, { teamIds, userId, entity, project });
    if (modelId) jobs.andWhere('job.modelId = :modelId', { modelId });
    if (kind) jobs.andWhere('job.kind = :kind', { kind });
    if (state) jobs.andWhere('job.state = :state', { state });
    return findPage(jobs, query);
  }

  /** Of each job that has started, the data of its first event. */
  async findStarts(ids: readonly string[]): Promise<Map<string, Record<string, unknown>>> {
    const where = { jobId: In(ids), position: 0, type: 'training_started' as const };
    const events = await this.jobs.manager.find(TrainingJobEvent, { where });
    return new Map(events.map(({ jobId, data }) => [jobId, JSON.parse(data) as Record<string, unknown>]));
  }

  /** For the worker that runs it to see. */
  async requestCancel(id: string): Promise<void> {
    await this.jobs.query(REQUEST_CANCEL, [id]);
  }
}
