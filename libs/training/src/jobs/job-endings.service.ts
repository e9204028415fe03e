import { Injectable } from '@nestjs/common';
import type { TrainingEventType, TrainingJobKind, TrainingJobState } from '@heddle/database';
import type { Actor } from '@heddle/events';
import { endedJobs } from '@heddle/metrics';
import type { EntityManager } from 'typeorm';
import { JobNewsService } from './job-news.service.js';

/** How a job ends: its last state and its last event. */
export interface Ending {
  state: Extract<TrainingJobState, 'FINISHED' | 'FAILED' | 'CANCELLED'>;
  /** Why, where it failed. */
  error: string | null;
  /** The checkpoint that it made. */
  step: number | null;
  event: { type: Extract<TrainingEventType, 'training_ended' | 'training_failed'>; data: Record<string, unknown> };
}

/** Whose end it is to write: a condition on the job's row, of which `$1` is the id. */
export interface EndCondition {
  sql: string;
  values: readonly [id: string, ...rest: unknown[]];
}

interface EndedJob {
  id: string;
  modelId: string;
  kind: TrainingJobKind;
  createdById: string;
  createdBy: string;
  /** Since it was started, or made where it never was. */
  seconds: string;
}

const INSERT_EVENT = `
  INSERT INTO training_job_events (job_id, position, type, data)
  SELECT $1::uuid, coalesce(max(position), -1) + 1, $2::text, $3::text FROM training_job_events WHERE job_id = $1`;

/** Ends jobs inside the caller's transaction: state, last event and domain event are there at once. */
@Injectable()
export class JobEndingsService {
  constructor(private readonly news: JobNewsService) {}

  /**
   * @param actor who ended it; the one who made the job, if left out
   * @returns false where the condition does not hold, or no longer: then nothing is written
   */
  async end(manager: EntityManager, condition: EndCondition, ending: Ending, actor?: Actor): Promise<boolean> {
    const { state, error, step, event } = ending;
    const [rows] = await manager.query<[EndedJob[], number]>(updateWhere(condition), [
      ...condition.values,
      state,
      error,
      step,
    ]);
    const job = rows[0];
    if (!job) return false;
    endedJobs.observe({ kind: job.kind, state: state.toLowerCase() }, Number(job.seconds));
    await manager.query(INSERT_EVENT, [job.id, event.type, JSON.stringify(event.data)]);
    const maker = { userId: job.createdById, username: job.createdBy };
    await this.news.publish(manager, actor ?? maker, { ...job, step }, state);
    return true;
  }
}

export const failure = (message: string): Ending => ({
  state: 'FAILED',
  error: message,
  step: null,
  event: { type: 'training_failed', data: { error_message: message } },
});

const CANCELLED = 'The job was cancelled';

/** Clients know two last events, and this is not the good one. */
export const cancellation = (): Ending => ({ ...failure(CANCELLED), state: 'CANCELLED', error: null });

function updateWhere({ sql, values: { length } }: EndCondition): string {
  return `
    UPDATE training_jobs
       SET state = $${length + 1}, error = $${length + 2}, step = $${length + 3}, ended_at = now(),
           worker_id = NULL, heartbeat_at = NULL
     WHERE ${sql}
    RETURNING id, model_id AS "modelId", kind, created_by_id AS "createdById", created_by AS "createdBy",
              extract(epoch FROM now() - coalesce(started_at, created_at)) AS seconds`;
}
