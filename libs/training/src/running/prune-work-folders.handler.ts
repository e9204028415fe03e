import { HandlesJob, type JobHandler } from '@heddle/queues';
import { WorkFolders } from './work-folders.service.js';

@HandlesJob({ name: 'prune-training-folders', queues: ['cpu'], every: 600_000 })
export class PruneWorkFoldersHandler implements JobHandler {
  constructor(private readonly folders: WorkFolders) {}

  async handle(): Promise<void> {
    await this.folders.prune();
  }
}
