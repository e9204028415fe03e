import type { Principal } from '@heddle/auth';
import type { AlertSeverity, DomainEvent, EventPlace, MetricSteps, RunState, TrainingJobState } from '@heddle/events';
import type { JsonDouble } from '@heddle/json';
import type { Scope } from '../automations/scope-access.service.js';
import type { EventType } from '../events/event-types.js';

/** What somebody wants to try an automation with; all of it has a default. */
export interface Sample {
  alias?: string;
  tag?: string;
  collection_name?: string;
  artifact_type?: string;
  artifact_metadata?: Record<string, unknown>;
  user?: string;
  run_name?: string;
  state?: string;
  title?: string;
  text?: string;
  severity?: AlertSeverity;
  /** Values of the metric that the automation watches, the newest last. */
  metric_values?: JsonDouble[];
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** An event that did not happen, in the automation's scope. */
export function sampleEvent(
  type: EventType,
  scope: Scope,
  caller: Pick<Principal, 'userId' | 'username'>,
  sample: Sample,
  metric?: string,
): DomainEvent {
  const place = placeOf(scope);
  const happened = { actor: { userId: caller.userId, username: caller.username }, place };
  const { collection_name = 'chat-model', artifact_type = 'model', artifact_metadata = { accuracy: 0.93 } } = sample;
  const collection = { id: NO_ID, name: collection_name, type: artifact_type };
  const refIn = (owner: string): string => `${place.entity}/${owner}/${collection_name}:v0`;
  const source = refIn(place.project?.name ?? 'loom');
  const ref = place.registry ? refIn(place.registry.name) : source;
  const artifact = { collection, version: { id: NO_ID, index: 0, ref, source, metadata: artifact_metadata } };
  const { run_name = 'nightly', user = caller.username } = sample;
  const run = { run: { id: NO_ID, name: run_name, displayName: run_name, createdBy: user } };
  switch (type) {
    case 'LINK_ARTIFACT':
    case 'UNLINK_ARTIFACT':
    case 'CREATE_ARTIFACT':
      return { type, ...happened, ...artifact };
    case 'ADD_ARTIFACT_ALIAS':
      return { type, ...happened, ...artifact, alias: sample.alias ?? 'production' };
    case 'ADD_ARTIFACT_TAG':
    case 'REMOVE_ARTIFACT_TAG':
      return { type, ...happened, ...artifact, tag: sample.tag ?? 'approved' };
    case 'ADD_COLLECTION_TAG':
    case 'REMOVE_COLLECTION_TAG':
      return { type, ...happened, collection, tag: sample.tag ?? 'approved' };
    case 'RUN_METRIC':
    case 'RUN_METRIC_CHANGE':
    case 'RUN_METRIC_ZSCORE':
    case 'RUN_METRIC_NOT_FINITE':
      return { type: 'RUN_METRICS_LOGGED', ...happened, ...run, metrics: metric ? [stepsOf(metric, sample)] : [] };
    case 'RUN_STATE':
      return { type, ...happened, ...run, state: (sample.state ?? 'FINISHED') as RunState };
    case 'RUN_ALERT':
      return { type, ...happened, ...run, ...alertOf(sample) };
    case 'TRAINING_JOB_STATE': {
      const job = { id: NO_ID, kind: 'rl', modelId: NO_ID, modelName: 'agent', step: null } as const;
      return { type, ...happened, ...run, job, state: (sample.state ?? 'FINISHED') as TrainingJobState };
    }
  }
}

const alertOf = ({ title = 'Low accuracy', text = 'Accuracy fell to 0.2', severity = 'WARN' }: Sample) => ({
  title,
  text,
  severity,
});

function stepsOf(name: string, { metric_values: { length: count } = [] }: Sample): MetricSteps {
  return { name, firstStep: 0, lastStep: Math.max(0, count - 1), count };
}

function placeOf({ teamId, entity, projectId, registryId, id }: Scope): EventPlace {
  const name = id.split('/')[1] ?? '';
  return {
    teamId,
    entity,
    // Team scope: something must own the change.
    project: projectId !== null ? { id: projectId, name } : registryId !== null ? null : { id: 0, name: 'loom' },
    registry: registryId !== null ? { id: registryId, name } : null,
  };
}
