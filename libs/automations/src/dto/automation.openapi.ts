import { applyDecorators } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { PAYLOAD_TEMPLATES, PLACEHOLDERS_DESCRIPTION } from '@heddle/webhooks';
import { EVENT_TYPES, type EventType, happensIn } from '../events/event-types.js';
import { EVENT_SCHEMA, FILTER_EXAMPLES } from '../events/event.openapi.js';
import type { SchemaObject } from '../events/schema-object.js';
import { AUTOMATION_UPDATE, NEW_AUTOMATION } from './automation-body.schema.js';

const METRIC = '{"text": "${run_name}: ${metric_name} is ${metric_value}", "value": ${metric_value}}';
const PAYLOADS: Partial<Record<EventType, unknown>> = {
  RUN_METRIC: METRIC,
  RUN_METRIC_CHANGE: METRIC,
  RUN_METRIC_ZSCORE: METRIC,
  RUN_METRIC_NOT_FINITE: METRIC,
  RUN_STATE: { text: 'Run ${run_name} of ${project_name}: ${run_status}' },
  RUN_ALERT: { text: '${alert_severity} of ${run_name}: ${alert_title}', details: '${alert_text}' },
  TRAINING_JOB_STATE: { text: 'Training job ${training_job_id} of ${model_name}: ${training_job_state}' },
};
const DISPATCH = {
  event_type: 'model-promoted',
  client_payload: {
    event_author: '${event_author}',
    artifact_version: '${artifact_version}',
    artifact_version_string: '${artifact_version_string}',
    artifact_collection_name: '${artifact_collection_name}',
    project_name: '${project_name}',
    entity_name: '${entity_name}',
  },
};

export const payloadExampleOf = (type: EventType): unknown => PAYLOADS[type] ?? DISPATCH;

/** The schema that checks, as decorators take it. */
const described = (schema: object): SchemaObject => ({ ...schema }) as SchemaObject;

function exampleOf(type: EventType): Record<string, unknown> {
  const scope = happensIn(type, 'REGISTRY')
    ? { scope_type: 'REGISTRY', scope_id: 'weavers/releases' }
    : { scope_type: 'PROJECT', scope_id: 'weavers/loom' };
  return {
    name: `On ${type.toLowerCase().replaceAll('_', ' ')}`,
    description: 'Tells the deployment pipeline',
    enabled: true,
    scope,
    event: { event_type: type, filter: FILTER_EXAMPLES[type] },
    action: {
      action_type: 'Webhooks',
      team: 'weavers',
      webhook_id: '8d6f4a2e-3c1b-4f5a-9e7d-2b0c6a1f4e88',
      request_payload: payloadExampleOf(type),
    },
  };
}

/** An automation whose payload is what a receiver documents. */
function toReceiver(request_payload: object): Record<string, unknown> {
  const example = exampleOf('ADD_ARTIFACT_ALIAS');
  return { ...example, action: { ...(example['action'] as object), request_payload } };
}

// What most people come for stands first: Swagger UI shows it.
const BY_USE: EventType[] = ['ADD_ARTIFACT_ALIAS', ...EVENT_TYPES.filter((type) => type !== 'ADD_ARTIFACT_ALIAS')];

export const ApiNewAutomation = (): MethodDecorator =>
  applyDecorators(
    ApiBody({
      description: PLACEHOLDERS_DESCRIPTION,
      // Each event type has a filter of its own: here they are told apart.
      schema: described({ ...NEW_AUTOMATION, properties: { ...NEW_AUTOMATION.properties, event: EVENT_SCHEMA } }),
      examples: Object.fromEntries([
        ...BY_USE.map((type) => [type, { value: exampleOf(type) }] as const),
        ...PAYLOAD_TEMPLATES.map(({ receiver, payload }) => [receiver, { value: toReceiver(payload) }] as const),
      ]),
    }),
  );

export const ApiAutomationUpdate = (): MethodDecorator =>
  ApiBody({
    schema: described(AUTOMATION_UPDATE),
    examples: {
      'another pattern': { value: { event: { filter: { alias_regex: '^(production|staging)$' } } } },
      'another payload': { value: { action: { request_payload: { text: '${artifact_version_string}' } } } },
      disable: { value: { enabled: false } },
      enable: { value: { enabled: true } },
    },
  });
