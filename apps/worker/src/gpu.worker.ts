import { Processor } from '@nestjs/bullmq';
import { PROBE_JOB } from '@heddle/health';
import { JobRouter, QueueWorker, WORKER_OPTIONS } from '@heddle/queues';
import { DelayedError, type Job } from 'bullmq';

/** How many jobs train at once in one process; which of them may run beside each other is for their handler to say. */
export const TRAINING_SLOTS = 4;
const NO_SLOT_DELAY_MS = 5000;

/**
 * Training takes hours and a probe must not wait for it: probes go to the head of the queue, and one slot more than the
 * training slots is theirs. A training job that BullMQ hands out into that slot goes back.
 */
@Processor('gpu', { ...WORKER_OPTIONS, concurrency: TRAINING_SLOTS + 1 })
export class GpuWorker extends QueueWorker {
  private training = 0;

  constructor(router: JobRouter) {
    super(router);
  }

  override async process(job: Job, token?: string): Promise<unknown> {
    if (job.name === PROBE_JOB) return super.process(job, token);
    if (this.training >= TRAINING_SLOTS) {
      await job.moveToDelayed(Date.now() + NO_SLOT_DELAY_MS, token);
      throw new DelayedError();
    }
    this.training++;
    try {
      return await super.process(job, token);
    } finally {
      this.training--;
    }
  }
}
