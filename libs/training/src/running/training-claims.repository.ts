import { Injectable } from '@nestjs/common';
import { InjectPool, type TrainingJobKind } from '@heddle/database';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';

/** A job that a worker runs, and its right to do so: all that it writes asks for `workerId` and `attempts`. */
export interface ClaimedJob {
  id: string;
  modelId: string;
  kind: TrainingJobKind;
  /** JSON text. */
  config: string;
  data: string;
  workerId: string;
  attempts: number;
  numSequences: number | null;
  createdById: string;
  createdBy: string;
  /** Whether nobody has begun it before. */
  isFirstStart: boolean;
}

/** A worker writes that it lives once in this time, and looks whether the job is still wanted. */
export const HEARTBEAT_EVERY_MS = 1000;
/** One that has not for so many seconds is dead, or frozen: its job is another's. */
export const DEAD_AFTER_SECONDS = 10;
/** A job that so many workers died of is not tried again. */
export const MAX_ATTEMPTS = 3;

/** That the worker still has the job. Another worker, or another attempt of the same one, makes it false. */
export const HELD = `id = $1 AND state = 'RUNNING' AND worker_id = $2 AND attempts = $3`;
export const holderOf = ({ id, workerId, attempts }: ClaimedJob): [string, string, number] => [id, workerId, attempts];

/** Of each model the job that runs, or else the one that came first: it may start if it is not that which runs. */
const CLAIMABLE = `
  j.state = 'QUEUED' AND j.id IN (
    SELECT DISTINCT ON (model_id) id FROM training_jobs WHERE state IN ('QUEUED', 'RUNNING')
     ORDER BY model_id, state = 'RUNNING' DESC, sequence)`;

const CLAIM = `
  WITH next AS MATERIALIZED (
    SELECT j.id, j.started_at IS NULL AS first FROM training_jobs j
     WHERE ${CLAIMABLE} AND NOT EXISTS (SELECT FROM models m WHERE m.id = j.model_id AND m.base_model = ANY($2))
     ORDER BY j.sequence LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
  UPDATE training_jobs j
     SET state = 'RUNNING', worker_id = $1, attempts = j.attempts + 1, heartbeat_at = now(),
         started_at = coalesce(j.started_at, now())
    FROM next WHERE j.id = next.id
  RETURNING j.id, j.model_id AS "modelId", j.kind, j.config, j.data, j.worker_id AS "workerId", j.attempts,
            j.num_sequences AS "numSequences", j.created_by_id AS "createdById",
            j.created_by AS "createdBy", next.first AS "isFirstStart"`;

const HEARTBEAT = `
  UPDATE training_jobs SET heartbeat_at = now() WHERE ${HELD} RETURNING cancel_requested_at IS NOT NULL AS cancelled`;

const START_FROM = `
  UPDATE training_jobs
     SET from_step = CASE WHEN num_sequences IS NOT NULL THEN from_step
                     ELSE coalesce((SELECT max(step) FROM checkpoints c WHERE c.model_id = training_jobs.model_id), 0) END
   WHERE ${HELD} RETURNING from_step AS "fromStep"`;

/** By a clock that was set back since: a worker that lives says so anew, and one that is dead is so for the usual time. */
const BEAT_AHEAD = `
  UPDATE training_jobs SET heartbeat_at = now()
   WHERE state = 'RUNNING' AND heartbeat_at > now() + interval '${DEAD_AFTER_SECONDS} seconds'`;

const BACK = `state = 'QUEUED', worker_id = NULL, heartbeat_at = NULL`;
/** That the worker of a running job is dead. */
export const DEAD = `state = 'RUNNING' AND heartbeat_at < now() - interval '${DEAD_AFTER_SECONDS} seconds'`;

const UNIQUE_VIOLATION = '23505';

/** Who runs which job. Each step is one conditional statement. */
@Injectable()
export class TrainingClaimsRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** The next job, now RUNNING; null where none may start. @param notYet base models that can't be trained at this moment */
  async claim(manager: EntityManager, workerId: string, notYet: readonly string[]): Promise<ClaimedJob | null> {
    try {
      const [rows] = await manager.query<[ClaimedJob[], number]>(CLAIM, [workerId, notYet]);
      return rows[0] ?? null;
    } catch (error) {
      // Somebody claimed another job of the model in this moment.
      if ((error as { code?: string }).code === UNIQUE_VIOLATION) return null;
      throw error;
    }
  }

  /** `lost`: it is another's, or gone with its model. */
  async heartbeat(job: ClaimedJob): Promise<'running' | 'cancelled' | 'lost'> {
    const { rows } = await this.pool.query<{ cancelled: boolean }>(HEARTBEAT, holderOf(job));
    if (!rows[0]) return 'lost';
    return rows[0].cancelled ? 'cancelled' : 'running';
  }

  /**
   * Fixes which checkpoint the job goes on from, the model's latest, and returns its step: 0 where there is none. Nobody
   * deletes it from now on, and once the job has told how many steps it has, every attempt starts there.
   */
  async startFrom(manager: EntityManager, job: ClaimedJob): Promise<number | null> {
    // Whoever deletes checkpoints holds the model while looking for jobs that need them.
    await manager.query('SELECT 1 FROM models WHERE id = $1 FOR NO KEY UPDATE', [job.modelId]);
    const [rows] = await manager.query<[{ fromStep: number }[], number]>(START_FROM, holderOf(job));
    return rows[0]?.fromStep ?? null;
  }

  /** Gives the job back, for another attempt. @param counts whether this one counts as an attempt */
  async release(job: ClaimedJob, counts: boolean): Promise<void> {
    const attempts = counts ? '' : ', attempts = attempts - 1';
    await this.pool.query(`UPDATE training_jobs SET ${BACK}${attempts} WHERE ${HELD}`, holderOf(job));
  }

  /** Jobs of dead workers go back to the queue, but for those that {@link findDead} names. */
  async requeueDead(): Promise<void> {
    await this.pool.query(BEAT_AHEAD);
    await this.pool.query(
      `UPDATE training_jobs SET ${BACK} WHERE ${DEAD} AND attempts < $1 AND cancel_requested_at IS NULL`,
      [MAX_ATTEMPTS],
    );
  }

  /** Jobs of dead workers that must end: cancelled ones, and those of which too many died. */
  async findDead(): Promise<{ id: string; cancelled: boolean }[]> {
    const { rows } = await this.pool.query<{ id: string; cancelled: boolean }>(
      `SELECT id, cancel_requested_at IS NOT NULL AS cancelled FROM training_jobs
        WHERE ${DEAD} AND (attempts >= $1 OR cancel_requested_at IS NOT NULL)`,
      [MAX_ATTEMPTS],
    );
    return rows;
  }

  /** Jobs that could start now, at most `limit`. */
  async findClaimable(limit: number): Promise<string[]> {
    const sql = `SELECT j.id FROM training_jobs j WHERE ${CLAIMABLE} ORDER BY j.sequence LIMIT $1`;
    return (await this.pool.query<{ id: string }>(sql, [limit])).rows.map(({ id }) => id);
  }
}
