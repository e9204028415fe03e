import { Injectable, Logger } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import { HandlesJob, type JobHandler } from '@heddle/queues';
import type pg from 'pg';

const MINUTE_MS = 60_000;
const BATCH = 1000;
/** All that is a project's, by its id, which no other project ever gets. */
const TABLES = [
  'calls',
  'feedback',
  'model_prices',
  'trace_object_tags',
  'trace_object_aliases',
  'trace_objects',
  'trace_table_rows',
  'trace_table_chunks',
  'trace_tables',
  'trace_file_chunks',
  'trace_files',
  'annotation_progress',
  'annotation_queue_items',
  'annotation_queues',
  'dataset_sources',
  'call_changes',
  'call_minutes',
  'call_usage_minutes',
];

/** A batch at a time: its locks and its memory stay small. */
const remove = (table: string): string =>
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE project_id = $1 LIMIT ${BATCH}))`;

/** What was on its way when the project was deleted has arrived by then. */
const FORGET = `
  DELETE FROM deleted_trace_projects WHERE project_id = $1 AND deleted_at < now() - interval '1 hour'`;

/** Deletes the traces of projects that were deleted. */
@Injectable()
@HandlesJob({ name: 'prune-deleted-projects', queues: ['cpu'], every: MINUTE_MS })
export class PruneDeletedProjectsHandler implements JobHandler {
  private readonly logger = new Logger(PruneDeletedProjectsHandler.name);

  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async handle(): Promise<void> {
    const sql = 'SELECT project_id FROM deleted_trace_projects ORDER BY deleted_at';
    for (const { project_id: id } of (await this.pool.query<{ project_id: number }>(sql)).rows) {
      let rows = 0;
      for (const table of TABLES) rows += await this.empty(table, id);
      if (rows > 0) this.logger.log({ projectId: id, rows }, 'traces of a deleted project are gone');
      await this.pool.query(FORGET, [id]);
    }
  }

  private async empty(table: string, projectId: number): Promise<number> {
    for (let total = 0; ;) {
      const { rowCount } = await this.pool.query(remove(table), [projectId]);
      total += rowCount ?? 0;
      if ((rowCount ?? 0) < BATCH) return total;
    }
  }
}
