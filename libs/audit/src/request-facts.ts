import type { Principal } from '@heddle/auth';
import { isUuid } from '@heddle/database';
import type { Request } from 'express';
import type { TeamHints } from './audit.repository.js';

type Json = Record<string, unknown>;

const MAX_FIELDS = 50;
const MAX_LENGTH = 200;

/** Names of the body's fields, sorted; none of a body that is no object. */
export const fieldsOf = (body: unknown): string[] =>
  Object.keys(asObject(body))
    .toSorted()
    .slice(0, MAX_FIELDS)
    .map((name) => name.slice(0, MAX_LENGTH));

/** How the answer calls what was made or changed. */
export function subjectOf(answer: unknown): string | null {
  const { id, name, username } = asObject(answer);
  const found = [id, name, username].find((each) => typeof each === 'string' || typeof each === 'number');
  return found === undefined ? null : String(found);
}

/** The place is in the path, or else in the body; what names none there is made in the caller's default team. */
export function teamHintsOf(
  { params, query, body }: Pick<Request, 'params' | 'query' | 'body'>,
  caller: Principal,
): TeamHints {
  const fields = asObject(body);
  const scopeId = asObject(fields['scope'])['scope_id'];
  const named = [params['team'], params['entity'], fields['entity'], scopeId, fields['project_id']].filter(isText);
  const byDefault = 'entity' in fields || 'project' in fields ? caller.defaultTeam : null;
  const ids = [...Object.values(params), fields['model_id'], query['model_id'], scopeId].filter(isText);
  return {
    names: [...named.map((each) => each.split('/')[0]!), ...(named.length === 0 && byDefault ? [byDefault] : [])],
    ids: ids.filter(isUuid),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A body that its handler reads by itself is JSON all the same, unless it is large. */
const MAX_RAW_BYTES = 64 * 1024;

function asObject(value: unknown): Json {
  if (Buffer.isBuffer(value)) return value.length > MAX_RAW_BYTES ? {} : asObject(parsed(value));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    // Whoever reads it says so.
    return null;
  }
}
