import { Processor } from '@nestjs/bullmq';
import { JobRouter, QueueWorker, WORKER_OPTIONS } from '@heddle/queues';

/** Wake-ups of deliveries. One job delivers all that is due, so a second one at a time would find nothing. */
@Processor('webhooks', { ...WORKER_OPTIONS, concurrency: 1 })
export class WebhooksWorker extends QueueWorker {
  constructor(router: JobRouter) {
    super(router);
  }
}
