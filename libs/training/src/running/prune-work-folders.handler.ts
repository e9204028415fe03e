import { HandlesJob, type JobHandler } from '@heddle/queues';
import { WorkFoldersService } from './work-folders.service.js';

@HandlesJob({ name: 'prune-training-folders', queues: ['cpu'], every: 600_000 })
export class PruneWorkFoldersHandler implements JobHandler {
  constructor(private readonly folders: WorkFoldersService) {}

  async handle(): Promise<void> {
    await this.folders.prune();
  }
}
