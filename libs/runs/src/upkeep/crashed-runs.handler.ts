import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { HandlesJob, type JobHandler } from '@heddle/queues';
import type { DataSource } from 'typeorm';
import { RunWriter } from '../run.writer.js';

const MINUTE_MS = 60_000;
/** Minutes of silence. A living client is heard of every half a minute. */
const SILENT_MINUTES = 5;

/** Nobody has this id: of a run whose maker is gone. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Held against their own clients, which may come back at this moment. */
const SILENT = `
  SELECT r.id, u.id AS user_id, r.created_by AS username, p.id AS project_id, p.name AS project, t.id AS team_id, t.name AS entity
    FROM runs r
    JOIN projects p ON p.id = r.project_id
    JOIN teams t ON t.id = p.team_id
    LEFT JOIN users u ON u.username = r.created_by
   WHERE r.state = 'RUNNING' AND r.heartbeat_at < now() - make_interval(mins => $1)
   ORDER BY r.heartbeat_at LIMIT 100 FOR NO KEY UPDATE OF r SKIP LOCKED`;

interface SilentRun {
  id: string;
  user_id: string | null;
  username: string;
  project_id: number;
  project: string;
  team_id: string;
  entity: string;
}

/** A run whose client fell silent without a word has crashed. One that is heard of again runs again. */
@Injectable()
@HandlesJob({ name: 'crashed-runs', queues: ['cpu'], every: MINUTE_MS })
export class CrashedRunsHandler implements JobHandler {
  private readonly logger = new Logger(CrashedRunsHandler.name);

  constructor(
    private readonly writer: RunWriter,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async handle(): Promise<void> {
    const crashed = await this.dataSource.transaction(async (manager) => {
      const silent = await manager.query<SilentRun[]>(SILENT, [SILENT_MINUTES]);
      for (const run of silent) {
        const actor = { userId: run.user_id ?? NOBODY, username: run.username };
        const project = { id: run.project_id, name: run.project, teamId: run.team_id, entity: run.entity };
        await this.writer.update(manager, actor, project, run.id, { state: 'CRASHED' });
      }
      return silent.length;
    });
    if (crashed > 0) this.logger.log({ crashed }, 'runs fell silent');
  }
}
