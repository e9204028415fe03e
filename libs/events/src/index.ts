export type {
  Actor,
  ArtifactEvent,
  ArtifactSubject,
  CollectionEvent,
  DomainEvent,
  DomainEventType,
  EventPlace,
  MetricSteps,
  RunMetricsEvent,
  RunState,
  RunStateEvent,
  RunSubject,
  TrainingJobEvent,
  TrainingJobState,
} from './domain-event.js';
export { type DomainEventHandler, DomainEventsService } from './domain-events.service.js';
export { EventsModule } from './events.module.js';
