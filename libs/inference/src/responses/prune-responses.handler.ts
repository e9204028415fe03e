import { Env } from '@heddle/config';
import { HandlesJob, type JobHandler } from '@heddle/queues';
import { StoredResponsesRepository } from './stored-responses.repository.js';

const HOUR_MS = 3_600_000;
const BATCH = 1000;
/** Batches in one run; what is left is for the next one. */
const MAX_BATCHES = 1000;

/** Deletes responses that nobody has used for as long as they are kept. */
@HandlesJob({ name: 'prune-responses', queues: ['cpu'], every: HOUR_MS })
export class PruneResponsesHandler implements JobHandler {
  constructor(
    private readonly stored: StoredResponsesRepository,
    private readonly env: Env,
  ) {}

  async handle(): Promise<void> {
    const { RESPONSES_RETENTION_DAYS: days } = this.env;
    if (days === 0) return;
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      if ((await this.stored.prune(days, BATCH)) < BATCH) return;
    }
  }
}
