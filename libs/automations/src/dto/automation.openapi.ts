import { applyDecorators } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { PLACEHOLDERS_DESCRIPTION } from '@heddle/webhooks';
import { EVENT_TYPES, type EventType, happensIn } from '../events/event-types.js';
import { EVENT_SCHEMA, FILTER_EXAMPLES } from '../events/event.openapi.js';
import type { SchemaObject } from '../events/schema-object.js';

const PAYLOADS: Partial<Record<EventType, unknown>> = {
  RUN_METRIC: '{"text": "${run_name}: ${metric_name} is ${metric_value}", "value": ${metric_value}}',
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

const NAME: SchemaObject = { type: 'string', minLength: 1, maxLength: 128 };
const DESCRIPTION: SchemaObject = { type: 'string', nullable: true, maxLength: 10_000 };
const ENABLED: SchemaObject = { type: 'boolean', default: true, description: 'Whether it watches' };
const SCOPE: SchemaObject = {
  type: 'object',
  description: 'Where events are watched: in every collection and run of it, later ones too.',
  required: ['scope_type', 'scope_id'],
  properties: {
    scope_type: { type: 'string', enum: ['REGISTRY', 'PROJECT', 'TEAM'] },
    scope_id: {
      type: 'string',
      description: '`entity/registry` or the id of a registry; `entity/project`; name or id of a team',
    },
  },
};
const actionSchema = (required: string[]): SchemaObject => ({
  type: 'object',
  description: 'The request that is sent.',
  ...(required.length > 0 && { required }),
  properties: {
    action_type: { type: 'string', enum: ['Webhooks', 'GENERIC_WEBHOOK'], default: 'Webhooks' },
    team: { type: 'string', description: 'The team that owns the webhook; you are a member of it' },
    webhook_id: { type: 'string', format: 'uuid' },
    request_payload: {
      description:
        'JSON with placeholders such as `${artifact_version_string}`, or its text, where placeholders may also stand without quotes: `{"acc": ${artifact_metadata.acc}}`. Without it, `{}` is sent.',
      oneOf: [{ type: 'object', additionalProperties: true }, { type: 'string' }],
    },
  },
});

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
      request_payload: PAYLOADS[type] ?? DISPATCH,
    },
  };
}

// What most people come for stands first: Swagger UI shows it.
const BY_USE: EventType[] = ['ADD_ARTIFACT_ALIAS', ...EVENT_TYPES.filter((type) => type !== 'ADD_ARTIFACT_ALIAS')];

export const ApiNewAutomation = (): MethodDecorator =>
  applyDecorators(
    ApiBody({
      description: PLACEHOLDERS_DESCRIPTION,
      schema: {
        type: 'object',
        required: ['name', 'scope', 'event', 'action'],
        properties: {
          name: NAME,
          description: DESCRIPTION,
          enabled: ENABLED,
          scope: SCOPE,
          event: EVENT_SCHEMA,
          action: actionSchema(['team', 'webhook_id']),
        },
      },
      examples: Object.fromEntries(BY_USE.map((type) => [type, { value: exampleOf(type) }])),
    }),
  );

export const ApiAutomationUpdate = (): MethodDecorator =>
  ApiBody({
    schema: {
      type: 'object',
      properties: {
        name: NAME,
        description: DESCRIPTION,
        enabled: ENABLED,
        event: {
          type: 'object',
          description: 'Inputs that are not named stay; an input that is null goes.',
          properties: {
            event_type: { type: 'string', enum: [...EVENT_TYPES] },
            filter: { type: 'object', additionalProperties: true },
          },
        },
        action: actionSchema([]),
      },
    },
    examples: {
      disable: { value: { enabled: false } },
      'another pattern': { value: { event: { filter: { alias_regex: '^(prod|staging)$' } } } },
      'another payload': { value: { action: { request_payload: { text: '${artifact_version_string}' } } } },
    },
  });
