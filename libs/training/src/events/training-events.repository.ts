import { Injectable } from '@nestjs/common';
import { InjectPool, isUuid, type TrainingEventType } from '@heddle/database';
import { ValidationError } from '@heddle/http';
import type pg from 'pg';

/** What a job's user sees of it, in order. */
export interface TrainingEvent {
  id: string;
  type: TrainingEventType;
  /** A JSON object as text. */
  data: string;
  position: number;
}

const BEFORE_THE_FIRST = -1;

const FIND_PAGE = `
  SELECT id, type, data, position FROM training_job_events WHERE job_id = $1 AND position > $2 ORDER BY position LIMIT $3`;

const FIND_POSITION = 'SELECT position FROM training_job_events WHERE id = $1 AND job_id = $2';

/** Reads the events of jobs. Their positions have no holes, and a position is written before the ones after it. */
@Injectable()
export class TrainingEventsRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async findAfter(jobId: string, position: number, limit: number): Promise<TrainingEvent[]> {
    return (await this.pool.query<TrainingEvent>(FIND_PAGE, [jobId, position, limit])).rows;
  }

  /**
   * Where a cursor is; before the first event if there is none.
   * @param loc of the cursor in the request
   * @throws ValidationError where the job has no event of this id
   */
  async positionOf(jobId: string, cursor: string | undefined, loc: string[]): Promise<number> {
    if (!cursor) return BEFORE_THE_FIRST;
    const { rows } = isUuid(cursor)
      ? await this.pool.query<{ position: number }>(FIND_POSITION, [cursor, jobId])
      : { rows: [] };
    if (rows[0]) return rows[0].position;
    throw ValidationError.at(loc, 'This job has no event with this id', 'cursor', cursor);
  }

  /** Whether more is to come. Not of a job that is gone with its model. */
  async isOpen(jobId: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ state: string }>('SELECT state FROM training_jobs WHERE id = $1', [jobId]);
    return rows[0]?.state === 'QUEUED' || rows[0]?.state === 'RUNNING';
  }
}
