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
const insert = (held: string): string => `
  WITH job AS (${held})
  INSERT INTO training_job_events (job_id, position, type, data)
  SELECT job.id, e.position, e.type, e.data
    FROM job, unnest($4::integer[], $5::text[], $6::text[]) AS e (position, type, data)
   ORDER BY e.position
  ON CONFLICT (job_id, position) DO NOTHING`;

const ADD = insert(`SELECT id FROM training_jobs WHERE ${HELD} FOR SHARE`);
const START = insert(`UPDATE training_jobs SET num_sequences = $7 WHERE ${HELD} RETURNING id`);

/** What a running job tells while it runs. A worker that has lost the job writes nothing. */
@Injectable()
export class TrainingProgressRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** `training_started`, and in the job how many gradient steps it has. */
  async start(job: ClaimedJob, numSequences: number, event: NewEvent): Promise<void> {
    await this.pool.query(START, [...parameters(job, [event]), numSequences]);
  }

  /** @returns positions of those that were not there yet */
  async add(job: ClaimedJob, events: readonly NewEvent[]): Promise<number[]> {
    const { rows } = await this.pool.query<{ position: number }>(`${ADD} RETURNING position`, parameters(job, events));
    return rows.map(({ position }) => position);
  }
}

const parameters = (job: ClaimedJob, events: readonly NewEvent[]): unknown[] => [
  ...holderOf(job),
  events.map(({ position }) => position),
  events.map(({ type }) => type),
  events.map(({ data }) => JSON.stringify(data)),
];
