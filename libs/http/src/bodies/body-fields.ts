import { getMetadataStorage } from 'class-validator';
import { ValidationError } from '../errors/api-error.js';
import { exactly, valuesIn } from './json-body.js';
import { opaqueOf } from '../fields/opaque-properties.js';
import { unknownField } from './unknown-fields.js';

/** Values of a field that is copied and checked one by one, which takes some microseconds each. */
const MAX_CHECKED_VALUES = 12_000;
/** More unknown fields than these are refused at once, and so is a body of nothing else. */
const MAX_UNKNOWN = 50;

const known = new WeakMap<object, string[]>();

/** What a DTO may hold. */
export function fieldsOf(dto: unknown): string[] {
  if (typeof dto !== 'function') return [];
  let fields = known.get(dto);
  if (!fields) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    fields = [...new Set(rules.map(({ propertyName }) => propertyName))];
    known.set(dto, fields);
  }
  return fields;
}

/**
 * A body that may be copied and checked field by field without holding others up.
 * @returns the body; on routes that ignore unknown fields, without them
 * @throws ValidationError
 */
export function requireSmall(body: unknown, dto: unknown, isStrict: boolean): unknown {
  const fields = fieldsOf(dto);
  if (typeof body !== 'object' || body === null || Array.isArray(body) || fields.length === 0) return body;
  const opaque = opaqueOf(dto as object);
  for (const name of fields) {
    if (opaque.includes(name) || valuesIn(body, name) <= MAX_CHECKED_VALUES) continue;
    throw ValidationError.at(['body', name], `holds more than ${MAX_CHECKED_VALUES} values`, 'too_long');
  }
  const unknown = Object.keys(body).filter((name) => !fields.includes(name));
  if (unknown.length === 0) return body;
  if (!isStrict) return onlyKnown(body, fields, opaque);
  if (unknown.length <= MAX_UNKNOWN) return body;
  throw new ValidationError(unknown.slice(0, MAX_UNKNOWN).map((name) => unknownField(['body'], name, fields)));
}

function onlyKnown(body: object, fields: string[], opaque: string[]): object {
  const given = fields.filter((name) => Object.hasOwn(body, name));
  const valueOf = (name: string): unknown =>
    (opaque.includes(name) ? exactly(body, name) : undefined) ?? (body as Record<string, unknown>)[name];
  return Object.fromEntries(given.map((name) => [name, valueOf(name)]));
}
