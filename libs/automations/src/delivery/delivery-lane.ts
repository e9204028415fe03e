import type { Webhook } from '@heddle/database';
import type { DueExecution } from './due-execution.js';

/** A webhook that this process delivers to, and nobody else at this time. */
export class DeliveryLane {
  /** Taken and not yet sent, the longest due first. */
  readonly queue: DueExecution[] = [];
  /** Ids of what was taken and isn't written down yet: it is not to be taken again. */
  readonly held = new Set<string>();
  /** Whether more was due than what was taken. */
  hasMore = false;
  inFlight = 0;
  /** As last read; null once it is deleted. */
  webhook: Webhook | null = null;
  /** When it was read, by `performance.now()`. */
  readAt = -Infinity;

  constructor(
    readonly webhookId: string,
    /** By `performance.now()`. */
    public ownedUntil: number,
  ) {}

  get isIdle(): boolean {
    return this.held.size === 0;
  }

  isPaused(now: Date): boolean {
    return (this.webhook?.pausedUntil?.getTime() ?? 0) > now.getTime();
  }

  hold(execution: DueExecution): void {
    this.queue.push(execution);
    this.held.add(execution.id);
  }

  /** Gives back what was not sent. */
  dropQueue(): void {
    for (const { id } of this.queue.splice(0)) this.held.delete(id);
  }
}
