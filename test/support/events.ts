import { type DomainEvent, type DomainEventType, DomainEventsService } from '@heddle/events';
import type { TestApi } from './api.js';

/** Domain events that a test's API publishes, as they happen. */
export class EventRecorder {
  private readonly seen: DomainEvent[] = [];
  private refusal: Error | null = null;

  constructor(api: TestApi) {
    api.provider(DomainEventsService).subscribe(async (_manager, event) => {
      if (this.refusal) throw this.refusal;
      this.seen.push(event);
    });
  }

  /** What was published since the last call. */
  take(): DomainEvent[] {
    return this.seen.splice(0);
  }

  /** As {@link take}, in short: the types alone. */
  takeTypes(): DomainEventType[] {
    return this.take().map(({ type }) => type);
  }

  /** Runs something while every handler of an event fails. */
  async refusing<T>(action: () => Promise<T>): Promise<T> {
    this.refusal = new Error('refused by the test');
    try {
      return await action();
    } finally {
      this.refusal = null;
    }
  }
}
