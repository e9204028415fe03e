import { exactly, ValidationError, valuesIn } from '@heddle/http';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { AutomationUpdate, NewAutomation } from '../automations/automations.service.js';
import { schemaError } from '../events/schema-problems.js';
import { AUTOMATION_UPDATE, NEW_AUTOMATION } from './automation-body.schema.js';

const MAX_VALUES = 1000;
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

const newBody = Compile(NEW_AUTOMATION);
const updateBody = Compile(AUTOMATION_UPDATE);

/** @throws ValidationError with each place */
export function readNewAutomation(body: unknown): NewAutomation {
  requireSmall(body);
  if (!newBody.Check(body)) throw schemaError(newBody.Errors(body), ['body'], NEW_AUTOMATION);
  const { name, description = null, enabled = true, scope, event, action } = body;
  return { ...checkText({ name, description }), enabled, scope, event, action: exactAction(body, action) };
}

/** @throws ValidationError with each place */
export function readAutomationUpdate(body: unknown): AutomationUpdate {
  requireSmall(body);
  if (!updateBody.Check(body)) throw schemaError(updateBody.Errors(body), ['body'], AUTOMATION_UPDATE);
  const { name, description, enabled, scope, event, action } = body as Static<typeof AUTOMATION_UPDATE>;
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
