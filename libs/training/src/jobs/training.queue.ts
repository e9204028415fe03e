import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger } from '@nestjs/common';
import { addInTime } from '@heddle/queues';
import type { Queue } from 'bullmq';

/** Name of the job that says no more than: there is one to train. */
export const TRAIN_JOB = 'train';

/** Wakes workers through the queue. What it loses, the watchdog finds in the rows. */
@Injectable()
export class TrainingQueue {
  private readonly logger = new Logger('Training');

  constructor(@InjectQueue('gpu') private readonly queue: Queue) {}

  /** Once the job's row is committed; no request waits for it: who asked for a job has one. @param reason keeps two wake-ups for one job apart that must both be there */
  async wake(jobId: string, reason = 'new'): Promise<void> {
    // One that is still there need not be there twice; one that is done must not be in the way of the next.
    const options = { jobId: `${TRAIN_JOB}-${jobId}-${reason}`, removeOnComplete: true, removeOnFail: true };
    try {
      await addInTime(this.queue, TRAIN_JOB, options);
    } catch (err) {
      this.logger.warn({ err, trainingJobId: jobId }, 'workers could not be woken: the watchdog finds the job');
    }
  }
}
