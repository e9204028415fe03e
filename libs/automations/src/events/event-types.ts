import type { ScopeType } from '@heddle/database';
import type { DomainEvent, DomainEventType } from '@heddle/events';

/** What an automation can watch. */
export const EVENT_TYPES = [
  'LINK_ARTIFACT',
  'UNLINK_ARTIFACT',
  'CREATE_ARTIFACT',
  'ADD_ARTIFACT_ALIAS',
  'ADD_ARTIFACT_TAG',
  'REMOVE_ARTIFACT_TAG',
  'ADD_COLLECTION_TAG',
  'REMOVE_COLLECTION_TAG',
  'RUN_METRIC',
  'RUN_METRIC_CHANGE',
  'RUN_METRIC_ZSCORE',
  'RUN_METRIC_NOT_FINITE',
  'RUN_STATE',
  'RUN_ALERT',
  'TRAINING_JOB_STATE',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export const METRIC_EVENT_TYPES = [
  'RUN_METRIC',
  'RUN_METRIC_CHANGE',
  'RUN_METRIC_ZSCORE',
  'RUN_METRIC_NOT_FINITE',
] as const;
export type MetricEventType = (typeof METRIC_EVENT_TYPES)[number];

export const isMetricEventType = (type: EventType): type is MetricEventType =>
  (METRIC_EVENT_TYPES as readonly EventType[]).includes(type);

/** Runs and new artifacts belong to projects: a registry sees only what happens to its collections. */
const NOT_IN_REGISTRIES: readonly EventType[] = [
  ...METRIC_EVENT_TYPES,
  'RUN_STATE',
  'RUN_ALERT',
  'TRAINING_JOB_STATE',
  'CREATE_ARTIFACT',
];

export const happensIn = (type: EventType, scope: ScopeType): boolean =>
  scope !== 'REGISTRY' || !NOT_IN_REGISTRIES.includes(type);

/** The event types by which automations watch a domain event. */
export const watchedAs = (type: DomainEventType): readonly EventType[] =>
  type === 'RUN_METRICS_LOGGED' ? METRIC_EVENT_TYPES : [type];

/** The domain event that an event type looks at. */
export const domainTypeOf = (type: EventType): DomainEvent['type'] =>
  isMetricEventType(type) ? 'RUN_METRICS_LOGGED' : type;
