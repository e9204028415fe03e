import { ValidationError } from '@heddle/http';
import { type AnyFilter, readFilter } from '../events/event-filter.js';
import { type EventType, happensIn } from '../events/event-types.js';
import { EventNotInScopeError } from './automations.errors.js';
import type { Scope } from './scope-access.service.js';

/** What watches what, as a request gives it. */
export interface EventInput {
  event_type?: EventType;
  filter?: Readonly<Record<string, unknown>> | null;
}

/** @throws ValidationError */
export function readEvent(
  scope: Scope,
  { event_type, filter }: EventInput,
): { eventType: EventType; filter: AnyFilter } {
  if (!event_type) throw ValidationError.at(['body', 'event', 'event_type'], 'event_type is required', 'missing');
  if (!happensIn(event_type, scope.type)) throw new EventNotInScopeError(event_type);
  return { eventType: event_type, filter: readFilter(event_type, filter ?? {}) };
}

/**
 * The event of a changed automation: inputs that are not named stay, those that are null go. So a new event type needs
 * null for each input that it doesn't have; nothing is dropped on the quiet.
 */
export function mergeEvent(
  before: { eventType: EventType; filter: AnyFilter },
  { event_type = before.eventType, filter }: EventInput,
): EventInput {
  return { event_type, filter: { ...before.filter, ...filter } };
}
