import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Numbered anew: of the lines of the source, some may lie behind the step. */
const COPY_LINES = `
  INSERT INTO run_lines (run_id, stream, line_no, step, body)
  SELECT $2, stream, row_number() OVER (ORDER BY line_no) - 1, step, body
    FROM run_lines WHERE run_id = $1 AND stream = 'history' AND step <= $3`;

const COPY_METRICS = `
  INSERT INTO run_metrics (run_id, name, step, value, logged_at)
  SELECT $2, name, step, value, logged_at FROM run_metrics WHERE run_id = $1 AND step <= $3`;

const LAST_STEP = `
  SELECT greatest((SELECT max(step) FROM run_lines WHERE run_id = $1 AND stream = 'history'),
                  (SELECT max(step) FROM run_metrics WHERE run_id = $1)) AS step`;

const LAST_VALUES = `
  SELECT name, value FROM (
    SELECT DISTINCT ON (name) name, value FROM run_metrics WHERE run_id = $1 ORDER BY name, step DESC) AS last`;

/** Histories that part from others, or go back to a step. What is copied is the copy's own: its source may change or go. */
@Injectable()
export class RunBranchesRepository {
  /** Gives a new run what another one logged until a step, that included. */
  async fork(manager: EntityManager, sourceId: string, runId: string, lastStep: number): Promise<void> {
    // Its writers wait meanwhile, so that lines and numbers are of one moment.
    await manager.query('SELECT 1 FROM runs WHERE id = $1 FOR SHARE', [sourceId]);
    for (const sql of [COPY_LINES, COPY_METRICS]) await manager.query(sql, [sourceId, runId, lastStep]);
  }

  /** Takes back what was logged after a step. */
  async rewind(manager: EntityManager, runId: string, lastStep: number): Promise<void> {
    const lines = `DELETE FROM run_lines WHERE run_id = $1 AND stream = 'history' AND step > $2`;
    await manager.query(lines, [runId, lastStep]);
    await manager.query('DELETE FROM run_metrics WHERE run_id = $1 AND step > $2', [runId, lastStep]);
  }

  /** Greatest step of what is there, as text; null before the first. */
  async lastStep(manager: EntityManager, runId: string): Promise<string | null> {
    return (await manager.query<[{ step: string | null }]>(LAST_STEP, [runId]))[0].step;
  }

  /** What was logged last under each name. */
  async lastValues(manager: EntityManager, runId: string): Promise<Record<string, number>> {
    const rows = await manager.query<{ name: string; value: number }[]>(LAST_VALUES, [runId]);
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  }
}
