import { HandlesJob, type JobHandler } from '@heddle/queues';
import { TRAIN_JOB } from '../jobs/training.queue.js';
import { TrainingRunner } from './training.runner.js';

/** The worker's side of a wake-up: it trains what may be trained, job after job, until nothing is left. */
@HandlesJob({ name: TRAIN_JOB, queues: ['gpu'] })
export class TrainHandler implements JobHandler {
  constructor(private readonly runner: TrainingRunner) {}

  async handle(): Promise<void> {
    await this.runner.runAll();
  }
}
