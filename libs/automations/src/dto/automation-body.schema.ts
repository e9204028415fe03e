import { UUID_PATTERN } from '@heddle/database';
import Type, { type TProperties } from 'typebox';
import { EVENT_TYPES } from '../events/event-types.js';

const MAX_NAME_LENGTH = 128;

/** A field that is not named here is refused. */
const closed = <T extends TProperties>(properties: T, options = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

const anyObject = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));

const name = Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH });
const more = {
  description: Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()])),
  enabled: Type.Optional(Type.Boolean({ default: true, description: 'Whether it watches' })),
};

const scopeFields = {
  scope_type: Type.Enum(['REGISTRY', 'PROJECT', 'TEAM'], { type: 'string' }),
  scope_id: Type.String({
    minLength: 1,
    maxLength: 300,
    description: '`entity/registry` or the id of a registry; `entity/project`; name or id of a team',
  }),
};

const eventType = Type.Enum([...EVENT_TYPES], { type: 'string' });
/** Which fields there are depends on the event type: see FILTER_SCHEMAS. */
const filter = Type.Optional(Type.Union([anyObject, Type.Null()]));

const team = Type.String({
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  description: 'The team that owns the webhook; you are a member of it',
});
const webhookId = Type.String({ pattern: UUID_PATTERN, description: 'The id of the webhook, a UUID' });
const request = {
  action_type: Type.Optional(Type.Enum(['Webhooks', 'GENERIC_WEBHOOK'], { type: 'string', default: 'Webhooks' })),
  request_payload: Type.Optional(
    Type.Union([Type.String(), anyObject, Type.Null()], {
      description:
        'JSON with placeholders such as `${artifact_version_string}`, or its text, where placeholders may also stand ' +
        'without quotes: `{"acc": ${artifact_metadata.acc}}`. Without it, `{}` is sent.',
    }),
  ),
};
const REQUEST = { description: 'The request that is sent.' };

/** What creates an automation, as it is checked and described. */
export const NEW_AUTOMATION = closed({
  name,
  ...more,
  scope: closed(scopeFields, {
    description: 'Where events are watched: in every collection and run of it, later ones too.',
  }),
  event: closed({ event_type: eventType, filter }),
  action: closed({ ...request, team, webhook_id: webhookId }, REQUEST),
});

/** What changes one. */
export const AUTOMATION_UPDATE = closed({
  name: Type.Optional(name),
  ...more,
  scope: Type.Optional(
    closed(scopeFields, { description: 'It can be sent along, but not changed: another one is refused.' }),
  ),
  event: Type.Optional(
    closed(
      { event_type: Type.Optional(eventType), filter },
      { description: 'Inputs that are not named stay; an input that is null goes.' },
    ),
  ),
  action: Type.Optional(
    closed({ ...request, team: Type.Optional(team), webhook_id: Type.Optional(webhookId) }, REQUEST),
  ),
});
