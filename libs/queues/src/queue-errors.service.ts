import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';

/** Writes connection errors of the queues to the log: BullMQ prints an error that nobody listens to on the console. */
@Injectable()
export class QueueErrorsService {
  private readonly logger = new Logger('Queues');

  constructor(
    @InjectQueue('webhooks') webhooks: Queue,
    @InjectQueue('cpu') cpu: Queue,
    @InjectQueue('gpu') gpu: Queue,
  ) {
    for (const queue of [webhooks, cpu, gpu]) {
      queue.on('error', (err) => this.logger.warn({ err, queue: queue.name }, 'queue error'));
    }
  }
}
