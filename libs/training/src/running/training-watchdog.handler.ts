import { InjectDataSource } from '@nestjs/typeorm';
import { HandlesJob, type JobHandler } from '@heddle/queues';
import type { DataSource } from 'typeorm';
import { cancellation, failure, JobEndingsService } from '../jobs/job-endings.service.js';
import { TrainingQueue } from '../jobs/training.queue.js';
import { DEAD, MAX_ATTEMPTS, TrainingClaimsRepository } from './training-claims.repository.js';

const LOOK_EVERY_MS = 5000;
/** So many wake-ups at once are enough: who is woken goes on until nothing is left. */
const MAX_WAKES = 16;

const DIED = `The worker died ${MAX_ATTEMPTS} times while it ran this job`;

/**
 * Sees to it that every job ends, whatever befell its worker or the queue: jobs of dead workers start again, or end if that
 * happened too often; jobs that nobody was woken for are announced again.
 */
@HandlesJob({ name: 'training-watchdog', queues: ['cpu'], every: LOOK_EVERY_MS })
export class TrainingWatchdogHandler implements JobHandler {
  constructor(
    private readonly claims: TrainingClaimsRepository,
    private readonly endings: JobEndingsService,
    private readonly queue: TrainingQueue,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async handle(): Promise<void> {
    for (const { id, cancelled } of await this.claims.findDead()) {
      const ending = cancelled ? cancellation() : failure(DIED);
      await this.dataSource.transaction((manager) =>
        this.endings.end(manager, { sql: `id = $1 AND ${DEAD}`, values: [id] }, ending),
      );
    }
    await this.claims.requeueDead();
    for (const id of await this.claims.findClaimable(MAX_WAKES)) await this.queue.wake(id, 'found');
  }
}
