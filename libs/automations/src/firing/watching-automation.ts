import type { AnyFilter } from '../events/event-filter.js';
import type { EventType } from '../events/event-types.js';
import { type Condition, conditionsOf } from '../matching/conditions.js';
import type { EventFacts } from '../matching/event-facts.js';
import { type MetricCondition, metricCondition } from '../matching/metric-condition.js';

/** What an event needs to know of an automation, ready to judge. */
export interface WatchingAutomation {
  id: string;
  eventType: EventType;
  conditions: readonly Condition[];
  /** On the values of a metric; absent for event types that have none. */
  metric?: MetricCondition;
  /** Owner of the webhook. */
  teamId: string;
  webhookId: string;
}

export interface AutomationRow {
  id: string;
  event_type: EventType;
  /** JSON text. */
  filter: string;
  action_team_id: string;
  webhook_id: string;
}

export function toWatching(row: AutomationRow): WatchingAutomation {
  const filter = JSON.parse(row.filter) as AnyFilter;
  return {
    id: row.id,
    eventType: row.event_type,
    conditions: conditionsOf(row.event_type, filter),
    metric: metricCondition(row.event_type, filter),
    teamId: row.action_team_id,
    webhookId: row.webhook_id,
  };
}

export const matches = ({ conditions }: WatchingAutomation, facts: EventFacts): boolean =>
  conditions.every((condition) => condition.test(facts));
