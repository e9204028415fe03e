import { UUID_PATTERN } from '@heddle/database';
import { exactly, ValidationError, valuesIn } from '@heddle/http';
import Type, { type Static, type TProperties } from 'typebox';
import { Compile } from 'typebox/compile';
import type { AutomationUpdate, NewAutomation } from '../automations/automations.service.js';
import { EVENT_TYPES } from '../events/event-types.js';
import { schemaError } from '../events/schema-problems.js';

const MAX_NAME_LENGTH = 128;
const MAX_VALUES = 1000;
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** A field that is not named here is refused. */
const closed = <T extends TProperties>(properties: T) => Type.Object(properties, { additionalProperties: false });
const Scope = closed({
  scope_type: Type.Enum(['REGISTRY', 'PROJECT', 'TEAM']),
  scope_id: Type.String({ minLength: 1, maxLength: 300 }),
});
const eventType = Type.Enum([...EVENT_TYPES]);
const filter = Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]));
const action = {
  action_type: Type.Optional(Type.Enum(['Webhooks', 'GENERIC_WEBHOOK'])),
  request_payload: Type.Optional(Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
};
const team = Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH });
const webhookId = Type.String({ pattern: UUID_PATTERN });

const fields = {
  description: Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()])),
  enabled: Type.Optional(Type.Boolean()),
};
const name = Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH });

const NewBody = closed({
  name,
  ...fields,
  scope: Scope,
  event: closed({ event_type: eventType, filter }),
  action: closed({ ...action, team, webhook_id: webhookId }),
});

const UpdateBody = closed({
  name: Type.Optional(name),
  ...fields,
  scope: Type.Optional(Scope),
  event: Type.Optional(closed({ event_type: Type.Optional(eventType), filter })),
  action: Type.Optional(closed({ ...action, team: Type.Optional(team), webhook_id: Type.Optional(webhookId) })),
});

const newBody = Compile(NewBody);
const updateBody = Compile(UpdateBody);

/** @throws ValidationError with each place */
export function readNewAutomation(body: unknown): NewAutomation {
  requireSmall(body);
  if (!newBody.Check(body)) throw schemaError(newBody.Errors(body), ['body'], NewBody);
  const { name, description = null, enabled = true, scope, event, action } = body;
  return { ...checkText({ name, description }), enabled, scope, event, action: exactAction(body, action) };
}

/** @throws ValidationError with each place */
export function readAutomationUpdate(body: unknown): AutomationUpdate {
  requireSmall(body);
  if (!updateBody.Check(body)) throw schemaError(updateBody.Errors(body), ['body'], UpdateBody);
  const { name, description, enabled, scope, event, action } = body as Static<typeof UpdateBody>;
  return {
    ...checkText({ ...(name !== undefined && { name }), ...(description !== undefined && { description }) }),
    ...(enabled !== undefined && { enabled }),
    ...(scope && { scope }),
    ...(event && { event }),
    ...(action && { action: exactAction(body, action) }),
  };
}

/** Each unknown field is a problem that is looked at and named. A payload may hold more. */
function requireSmall(body: unknown): void {
  if (valuesIn(body) - valuesIn(body, 'action', 'request_payload') <= MAX_VALUES) return;
  throw ValidationError.at(['body'], `holds more than ${MAX_VALUES} values beside its payload`, 'too_long');
}

/** A payload keeps its integers to the last digit. */
function exactAction<T extends { request_payload?: unknown }>(body: unknown, action: T): T {
  const payload = exactly(body, 'action', 'request_payload');
  return payload === undefined ? action : { ...action, request_payload: payload };
}

/** A name is one line; PostgreSQL stores neither U+0000 nor lone surrogates. */
function checkText<T extends { name?: string; description?: string | null }>(texts: T): T {
  if (UNPRINTABLE.test(texts.name ?? ''))
    throw ValidationError.at(['body', 'name'], 'must be one line', 'name', texts.name);
  if (/[\0\p{Cs}]/u.test(texts.description ?? '')) {
    throw ValidationError.at(['body', 'description'], 'must be text', 'description');
  }
  return texts;
}
