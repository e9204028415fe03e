import { HandlesJob, type JobHandler } from '@heddle/queues';
import { DELIVER_JOB } from './delivery.relay.js';
import { DeliveryPump } from './delivery.pump.js';

/** The worker's side of a wake-up: a job carries nothing, and one delivers whatever is due. */
@HandlesJob({ name: DELIVER_JOB, queues: ['webhooks'] })
export class DeliverHandler implements JobHandler {
  constructor(private readonly pump: DeliveryPump) {}

  async handle(): Promise<void> {
    await this.pump.wake();
  }
}
