import { Processor } from '@nestjs/bullmq';
import { JobRouter, QueueWorker, WORKER_OPTIONS } from '@heddle/queues';

/** Short work that mostly waits for the database. */
@Processor('cpu', { ...WORKER_OPTIONS, concurrency: 4 })
export class CpuWorker extends QueueWorker {
  constructor(router: JobRouter) {
    super(router);
  }
}
