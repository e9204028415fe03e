import type { DomainEvent, RunSubject } from '@heddle/events';
import type { TemplateVariables } from '@heddle/webhooks';
import type { EventType } from './event-types.js';

/** What a payload may say of an event. */
export function variablesOf(event: DomainEvent, eventType: EventType, automationName: string): TemplateVariables {
  const { place, actor } = event;
  return {
    automation_name: automationName,
    event_type: eventType,
    event_author: actor.username,
    entity_name: place.entity,
    // What happens in a registry is the registry's, also where a project's version is linked.
    project_name: (place.registry ?? place.project)?.name,
    ...subjectOf(event),
  };
}

function subjectOf(event: DomainEvent): TemplateVariables {
  switch (event.type) {
    case 'LINK_ARTIFACT':
    case 'UNLINK_ARTIFACT':
    case 'CREATE_ARTIFACT':
      return artifactVariables(event, `v${event.version.index}`);
    case 'ADD_ARTIFACT_ALIAS':
      return { ...artifactVariables(event, event.alias), alias: event.alias };
    case 'ADD_ARTIFACT_TAG':
    case 'REMOVE_ARTIFACT_TAG':
      return { ...artifactVariables(event, `v${event.version.index}`), tag: event.tag };
    case 'ADD_COLLECTION_TAG':
    case 'REMOVE_COLLECTION_TAG':
      return { artifact_collection_name: event.collection.name, tag: event.tag };
    case 'RUN_STATE':
      return { ...runVariables(event), run_status: event.state };
    case 'RUN_ALERT':
      return {
        ...runVariables(event),
        alert_title: event.title,
        alert_text: event.text,
        alert_severity: event.severity,
      };
    case 'RUN_METRICS_LOGGED':
      return runVariables(event);
    case 'TRAINING_JOB_STATE':
      return {
        ...runVariables(event),
        training_job_id: event.job.id,
        training_job_state: event.state,
        model_id: event.job.modelId,
        model_name: event.job.modelName,
      };
  }
}

type WithVersion = Extract<DomainEvent, { version: unknown }>;

function artifactVariables({ place, collection, version }: WithVersion, label: string): TemplateVariables {
  const owner = (place.registry ?? place.project)?.name;
  return {
    artifact_collection_name: collection.name,
    artifact_version: version.ref,
    artifact_version_index: version.index,
    artifact_version_string: `${place.entity}/${owner}/${collection.name}:${label}`,
    artifact_metadata: version.metadata,
  };
}

/** A display name may be that of many runs; the unique name is the run's in its project, the id in all of them. */
const runVariables = ({ run }: RunSubject): TemplateVariables => ({
  run_name: run.displayName,
  run_unique_name: run.name,
  run_id: run.id,
});
