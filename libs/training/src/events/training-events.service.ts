import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { TrainingJobsService } from '../jobs/training-jobs.service.js';
import { type TrainingEvent, TrainingEventsRepository } from './training-events.repository.js';

/** The events of jobs, for those who may read the project. */
@Injectable()
export class TrainingEventsService {
  constructor(
    private readonly jobs: TrainingJobsService,
    private readonly events: TrainingEventsRepository,
  ) {}

  /** What follows the cursor: `limit` + 1 events where there are as many, for `pageOf`. */
  async list(caller: Principal, jobId: string, after: string | undefined, limit: number): Promise<TrainingEvent[]> {
    return this.events.findAfter(jobId, await this.positionOf(caller, jobId, after), limit + 1);
  }

  /** Where to go on from. @throws ValidationError where the job has no such event */
  async positionOf(caller: Principal, jobId: string, after: string | undefined): Promise<number> {
    const job = await this.jobs.find(caller, jobId);
    return this.events.positionOf(job.id, after, ['query', 'after']);
  }
}
