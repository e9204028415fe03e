/** Who did what gave rise to an event: rendered as `${event_author}`. */
export interface Actor {
  userId: string;
  username: string;
}

/**
 * Where an event happened. A registry's events have no project, a project's no registry; but a link has both, the project
 * where the version was made and the registry, and falls into the scopes of both at once.
 */
export interface EventPlace {
  teamId: string;
  /** Name of the team: `${entity_name}`. */
  entity: string;
  project: { id: number; name: string } | null;
  registry: { id: string; name: string } | null;
}

export interface ArtifactSubject {
  collection: { id: string; name: string; type: string };
  version: {
    id: string;
    /** In this collection: 0 for v0. A registry counts what was linked, whatever its number in the project. */
    index: number;
    /** `<entity>/<project or registry>/<collection>:v<index>`, in the collection that the event is about. */
    ref: string;
    /** The same of the project where the version was made; equal to `ref` but for a registry's events. */
    source: string;
    metadata: Readonly<Record<string, unknown>>;
  };
}

export interface RunSubject {
  run: { id: string; name: string; displayName: string; createdBy: string };
}

interface Happened {
  actor: Actor;
  place: EventPlace;
}

export type ArtifactEvent = Happened &
  ArtifactSubject &
  (
    | { type: 'LINK_ARTIFACT' | 'UNLINK_ARTIFACT' | 'CREATE_ARTIFACT' }
    | { type: 'ADD_ARTIFACT_ALIAS'; alias: string }
    | { type: 'ADD_ARTIFACT_TAG' | 'REMOVE_ARTIFACT_TAG'; tag: string }
  );

export type CollectionEvent = Happened & {
  type: 'ADD_COLLECTION_TAG' | 'REMOVE_COLLECTION_TAG';
  collection: ArtifactSubject['collection'];
  tag: string;
};

export type RunState = 'RUNNING' | 'FINISHED' | 'FAILED' | 'CRASHED';

export type RunStateEvent = Happened & RunSubject & { type: 'RUN_STATE'; state: RunState };

export type AlertSeverity = 'INFO' | 'WARN' | 'ERROR';

/** The run's program wants somebody to know something. */
export type RunAlertEvent = Happened &
  RunSubject & { type: 'RUN_ALERT'; title: string; text: string; severity: AlertSeverity };

/** Where in a run's history a batch wrote values of a metric. The values themselves are in the history. */
export interface MetricSteps {
  name: string;
  firstStep: number;
  lastStep: number;
  /** How many values, at most one for each step. */
  count: number;
}

/** Points were added to a run's history. Whether a metric reached a threshold is for automations to judge. */
export type RunMetricsEvent = Happened & RunSubject & { type: 'RUN_METRICS_LOGGED'; metrics: readonly MetricSteps[] };

export type TrainingJobState = 'QUEUED' | 'RUNNING' | 'FINISHED' | 'FAILED' | 'CANCELLED';

export type TrainingJobEvent = Happened &
  RunSubject & {
    type: 'TRAINING_JOB_STATE';
    state: TrainingJobState;
    job: { id: string; kind: 'rl' | 'sft'; modelId: string; modelName: string; step: number | null };
  };

/** Everything that one feature tells others. Switches over `type` are exhaustive. */
export type DomainEvent =
  ArtifactEvent | CollectionEvent | RunStateEvent | RunAlertEvent | RunMetricsEvent | TrainingJobEvent;

export type DomainEventType = DomainEvent['type'];
