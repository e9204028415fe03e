export type {
  Actor,
  AlertSeverity,
  ArtifactEvent,
  ArtifactSubject,
  CollectionEvent,
  DomainEvent,
  DomainEventType,
  EventPlace,
  MetricSteps,
  RunAlertEvent,
  RunMetricsEvent,
  RunState,
  RunStateEvent,
  RunSubject,
  TrainingJobEvent,
  TrainingJobState,
} from './domain-event.js';
export { type DomainEventHandler, DomainEventsService } from './domain-events.service.js';
export { EventsModule } from './events.module.js';
