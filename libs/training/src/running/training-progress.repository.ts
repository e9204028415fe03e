import { Injectable } from '@nestjs/common';
import { InjectPool, type TrainingEventType } from '@heddle/database';
import type pg from 'pg';
import { type ClaimedJob, HELD, holderOf } from './training-claims.repository.js';

export interface NewEvent {
  position: number;
  type: TrainingEventType;
  data: Record<string, unknown>;
}

/**
 * An event that is there already stays as it is: a second attempt brings the same ones. The lock keeps the job's end from
 * being followed by another event.
 */
const INSERT = `
  INSERT INTO training_job_events (job_id, position, type, data)
  SELECT j.id, e.position, e.type, e.data
    FROM (SELECT id FROM training_jobs WHERE ${HELD} FOR SHARE) j,
         unnest($4::integer[], $5::text[], $6::text[]) AS e (position, type, data)
   ORDER BY e.position
  ON CONFLICT (job_id, position) DO NOTHING`;

/** What a running job tells while it runs. A worker that has lost the job writes nothing. */
@Injectable()
export class TrainingProgressRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** `training_started`, and in the job how many gradient steps it has. */
  async start(job: ClaimedJob, numSequences: number, event: NewEvent): Promise<void> {
    await this.pool.query(`UPDATE training_jobs SET num_sequences = $4 WHERE ${HELD}`, [
      ...holderOf(job),
      numSequences,
    ]);
    await this.add(job, [event]);
  }

  async add(job: ClaimedJob, events: readonly NewEvent[]): Promise<void> {
    await this.pool.query(INSERT, [
      ...holderOf(job),
      events.map(({ position }) => position),
      events.map(({ type }) => type),
      events.map(({ data }) => JSON.stringify(data)),
    ]);
  }
}
