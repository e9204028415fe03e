import type { DomainEvent } from '@heddle/events';

/** What filters look at. A fact that the event has not is absent. */
export interface EventFacts {
  alias?: string;
  tag?: string;
  collection?: string;
  artifactType?: string;
  user?: string;
  runName?: string;
  state?: string;
  title?: string;
  severity?: string;
  /** Names of the metrics that were logged. */
  metrics?: readonly string[];
}

export function factsOf(event: DomainEvent): EventFacts {
  switch (event.type) {
    case 'LINK_ARTIFACT':
    case 'UNLINK_ARTIFACT':
    case 'CREATE_ARTIFACT':
      return factsOfCollection(event.collection);
    case 'ADD_ARTIFACT_ALIAS':
      return { alias: event.alias, ...factsOfCollection(event.collection) };
    case 'ADD_ARTIFACT_TAG':
    case 'REMOVE_ARTIFACT_TAG':
    case 'ADD_COLLECTION_TAG':
    case 'REMOVE_COLLECTION_TAG':
      return { tag: event.tag, ...factsOfCollection(event.collection) };
    case 'RUN_STATE':
    case 'TRAINING_JOB_STATE':
      return { state: event.state, ...factsOfRun(event.run) };
    case 'RUN_ALERT':
      return { title: event.title, severity: event.severity, ...factsOfRun(event.run) };
    case 'RUN_METRICS_LOGGED':
      return { metrics: event.metrics.map(({ name }) => name), ...factsOfRun(event.run) };
  }
}

const factsOfCollection = ({ name, type }: { name: string; type: string }): EventFacts => ({
  collection: name,
  artifactType: type,
});

const factsOfRun = ({ createdBy, displayName }: { createdBy: string; displayName: string }): EventFacts => ({
  user: createdBy,
  runName: displayName,
});
