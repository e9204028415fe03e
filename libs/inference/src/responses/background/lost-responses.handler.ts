import { HandlesJob, type JobHandler } from '@heddle/queues';
import { LostResponsesService } from './lost-responses.service.js';

const EVERY_MS = 15_000;
const BATCH = 100;

/** Those that nobody asks for end, too. */
@HandlesJob({ name: 'fail-lost-responses', queues: ['cpu'], every: EVERY_MS })
export class LostResponsesHandler implements JobHandler {
  constructor(private readonly lost: LostResponsesService) {}

  async handle(): Promise<void> {
    while ((await this.lost.failSome(BATCH)) === BATCH);
  }
}
