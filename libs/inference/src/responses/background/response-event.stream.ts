import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { lastEvent, responseEventText } from '../response-event-writer.js';
import { StoredResponsesRepository } from '../stored-responses.repository.js';
import { BackgroundResponsesRepository, type KeptEvents } from './background-responses.repository.js';
import { LostResponsesService } from './lost-responses.service.js';
import { RunningResponsesRegistry } from './running-responses.registry.js';

const BATCH = 100;
/** Between two looks at a response that another process makes. */
const PAUSE_MS = 250;

/** Follows responses in the background, whichever process makes them. */
@Injectable()
export class ResponseEventStream implements OnModuleDestroy {
  private readonly ending = new AbortController();

  constructor(
    private readonly repository: BackgroundResponsesRepository,
    private readonly stored: StoredResponsesRepository,
    private readonly running: RunningResponsesRegistry,
    private readonly lost: LostResponsesService,
  ) {}

  /** Who follows is cut off, and comes back with `starting_after`. */
  onModuleDestroy(): void {
    this.ending.abort();
  }

  /** Events after one of a number, those that are there and then those that come, to the last. Deletion ends them too. */
  async *follow(id: string, after: number, left: AbortSignal): AsyncGenerator<string> {
    const signal = AbortSignal.any([left, this.ending.signal]);
    while (!signal.aborted) {
      const news = this.running.news(id, PAUSE_MS, signal);
      // Asked before the events are read, so that none is missed.
      const state = await this.repository.state(id);
      if (!state) return;
      const kept = await this.repository.events(id, after, BATCH);
      for (const events of kept) {
        yield textAfter(events, after);
        after = events.last;
      }
      if (kept.length === BATCH) continue;
      if (state.hasEnded) {
        yield* this.ended(id, after);
        return;
      }
      if (state.isLost) await this.lost.fail(id);
      else await news;
    }
  }

  private async *ended(id: string, after: number): AsyncGenerator<string> {
    const [count, response] = [await this.repository.countEvents(id), await this.stored.body(id)];
    if (response && after < count) yield responseEventText(lastEvent(response), count);
  }
}

/** Of events that are kept together those after one of a number. */
function textAfter({ first, text }: KeptEvents, after: number): string {
  if (after < first) return text;
  const events = text.split(/(?<=\n\n)/);
  return events.slice(after - first + 1).join('');
}
