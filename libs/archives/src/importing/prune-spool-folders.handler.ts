import { Logger } from '@nestjs/common';
import { HandlesJob, type JobHandler } from '@heddle/queues';
import { SpoolFoldersService } from './spool-folders.service.js';

const HOUR_MS = 3_600_000;
/** No upload stands still for as long. */
const ABANDONED_HOURS = 24;

@HandlesJob({ name: 'prune-archives', queues: ['cpu'], every: HOUR_MS })
export class PruneSpoolFoldersHandler implements JobHandler {
  private readonly logger = new Logger(PruneSpoolFoldersHandler.name);

  constructor(private readonly folders: SpoolFoldersService) {}

  async handle(): Promise<void> {
    const folders = await this.folders.removeAbandoned(new Date(Date.now() - ABANDONED_HOURS * HOUR_MS));
    if (folders > 0) this.logger.log({ folders }, 'archives pruned');
  }
}
