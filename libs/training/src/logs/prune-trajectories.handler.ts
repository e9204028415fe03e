import { Injectable, Logger } from '@nestjs/common';
import { HandlesJob, type JobHandler } from '@heddle/queues';
import { TrajectoryFilesService } from '../trajectories/trajectory-files.service.js';
import { TrajectoryLogsRepository } from './trajectory-logs.repository.js';

const HOUR_MS = 3_600_000;
/** Hours after which a file's row is there, if it ever will be. */
const GRACE_HOURS = 24;
const AT_ONCE = 1000;

/** Takes away the files that no row names: a process ended between the two, or a project was deleted. */
@Injectable()
@HandlesJob({ name: 'prune-trajectories', queues: ['cpu'], every: HOUR_MS })
export class PruneTrajectoriesHandler implements JobHandler {
  private readonly logger = new Logger(PruneTrajectoriesHandler.name);

  constructor(
    private readonly files: TrajectoryFilesService,
    private readonly logs: TrajectoryLogsRepository,
  ) {}

  async handle(): Promise<void> {
    const old = await this.files.listBefore(new Date(Date.now() - GRACE_HOURS * HOUR_MS));
    let removed = 0;
    for (let at = 0; at < old.length; at += AT_ONCE) {
      const unnamed = await this.logs.unnamed(old.slice(at, at + AT_ONCE));
      await this.files.remove(unnamed);
      removed += unnamed.length;
    }
    if (removed > 0) this.logger.log({ files: removed }, 'trajectories pruned');
  }
}
