import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { TrainingJobEventDto } from './training-job-event.dto.js';
import { type TrainingEvent, TrainingEventsRepository } from './training-events.repository.js';

const BATCH = 100;
/** Between two looks, a little longer after each: a short job is followed closely, a long one costs four looks a second. */
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 250;
const LONGER = 1.2;
/** Proxies give up on what is silent for a minute. */
const HEARTBEAT_EVERY_MS = 15_000;

/** Follows jobs: server-sent events, as they are written. */
@Injectable()
export class TrainingEventStream implements OnModuleDestroy {
  private readonly ending = new AbortController();

  constructor(private readonly events: TrainingEventsRepository) {}

  /** Who follows is cut off, and comes back with `Last-Event-ID`. */
  onModuleDestroy(): void {
    this.ending.abort();
  }

  /**
   * Text of a `text/event-stream`: what is there after `position`, then what comes; ends after the job's last event. A job
   * that is deleted meanwhile ends it too.
   */
  async *follow(jobId: string, position: number, left: AbortSignal): AsyncGenerator<string> {
    const signal = AbortSignal.any([left, this.ending.signal]);
    let asksAt = -Infinity;
    let wait = SHORTEST_PAUSE_MS;
    // At once, so that the client has its headers.
    yield ': following\n\n';
    while (!signal.aborted) {
      // Asked before the events are read, so that the last one isn't missed.
      const asks = performance.now() >= asksAt;
      const open = !asks || (await this.events.isOpen(jobId));
      const batch = await this.events.findAfter(jobId, position, BATCH);
      if (batch.length > 0) {
        yield batch.map(textOf).join('');
        position = batch.at(-1)!.position;
        if (batch.some(isLast)) return;
      } else {
        if (!open) return;
        if (asks && asksAt > -Infinity) yield ': heartbeat\n\n';
      }
      if (asks || batch.length > 0) asksAt = performance.now() + HEARTBEAT_EVERY_MS;
      if (batch.length === BATCH) continue;
      await pause(wait, undefined, { signal }).catch(() => undefined);
      wait = Math.min(wait * LONGER, LONGEST_PAUSE_MS);
    }
  }
}

const isLast = ({ type }: TrainingEvent): boolean => type === 'training_ended' || type === 'training_failed';

/** JSON has no newline in it. */
const textOf = (event: TrainingEvent): string =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(TrainingJobEventDto.from(event))}\n\n`;
