import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { DeadlineError, withDeadline } from '@heddle/process';
import type { Job, Queue } from 'bullmq';
import { QueueCheckDto } from './dto/system-check.dto.js';
import { PROBE_JOB } from './probe.handler.js';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
const REMOVE_ATTEMPTS = 5;
const REMOVE_PAUSE_MS = 1000;
/** Seconds for which BullMQ keeps a finished probe whose asker died before it could remove it. */
const KEPT_SECONDS = 60;

/** Sends a real job through a queue and back. */
@Injectable()
export class QueueProbeService {
  private readonly logger = new Logger('SystemCheck');

  async check(queue: Queue, timeoutMs: number): Promise<QueueCheckDto> {
    const started = performance.now();
    const errors: string[] = [];
    let added = false;
    try {
      await withDeadline(timeoutMs, ({ signal }) => this.roundTrip(queue, signal, () => (added = true)));
    } catch (err) {
      this.logger.warn({ err, queue: queue.name }, 'probe failed');
      errors.push(reasonFor(err, added));
    }
    const duration = Math.round(performance.now() - started) / 1000;
    return { success: errors.length === 0, duration, errors };
  }

  private async roundTrip(queue: Queue, signal: AbortSignal, onAdded: () => void): Promise<void> {
    const jobId = `probe-${randomUUID()}`;
    const keep = { age: KEPT_SECONDS };
    // Ahead of everything that waits. Behind what runs it never is: the worker keeps a slot free (see GpuWorker).
    const job = await queue.add(PROBE_JOB, {}, { jobId, lifo: true, removeOnComplete: keep, removeOnFail: keep });
    try {
      onAdded();
      await this.untilFinished(queue, jobId, signal);
    } finally {
      // Also when nobody answered, or the queue took the job long after everybody had left.
      await this.remove(job);
    }
  }

  /** A probe that a worker has in hand at this moment can't be removed, but it can the next. */
  private async remove(job: Job): Promise<void> {
    for (let attempt = 0; attempt < REMOVE_ATTEMPTS; attempt++) {
      try {
        return await job.remove();
      } catch {
        await pause(REMOVE_PAUSE_MS, undefined, { ref: false });
      }
    }
  }

  /** Asks again and again: BullMQ's event stream would cost a connection for each queue, held all day for this. */
  private async untilFinished(queue: Queue, jobId: string, signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_PAUSE_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      await pause(wait);
      const job = await queue.getJob(jobId);
      if (job?.failedReason) throw new ProbeFailedError();
      if (job?.finishedOn) return;
    }
  }
}

class ProbeFailedError extends Error {
  override readonly name = 'ProbeFailedError';
}

/** Drivers' messages name hosts and users, so the caller gets none of them; the log does. */
function reasonFor(error: unknown, added: boolean): string {
  if (error instanceof ProbeFailedError) return 'the worker failed the probe';
  if (!added) return 'the queue took no job';
  if (error instanceof DeadlineError) return 'no worker answered';
  return 'the connection to the queue was lost';
}
