import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { DomainEvent } from './domain-event.js';

/**
 * Reacts to an event inside the transaction of the change that caused it: what it writes commits with the change or not
 * at all. It must be quick, and a throw undoes the change.
 */
export type DomainEventHandler = (manager: EntityManager, event: DomainEvent) => Promise<void>;

/** How features speak upward without importing each other: the cause publishes, whoever cares subscribes. */
@Injectable()
export class DomainEventsService {
  private readonly handlers: DomainEventHandler[] = [];

  /** For a module's `onModuleInit`. */
  subscribe(handler: DomainEventHandler): void {
    this.handlers.push(handler);
  }

  /** @param manager of the transaction that holds the change */
  async publish(manager: EntityManager, event: DomainEvent): Promise<void> {
    for (const handler of this.handlers) await handler(manager, event);
  }
}
