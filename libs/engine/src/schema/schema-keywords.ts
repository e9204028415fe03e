import { EngineError } from '../protocol/engine.errors.js';

export type Schema = Readonly<Record<string, unknown>>;
export type JsonType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

export const ALL_TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'] as const;
const TYPES: readonly string[] = [...ALL_TYPES, 'integer'];

const MAX_COUNT = 10_000;

/** Keywords that speak about one type of value. */
const BY_TYPE: Readonly<Record<string, readonly JsonType[]>> = {
  properties: ['object'],
  required: ['object'],
  additionalProperties: ['object'],
  patternProperties: ['object'],
  propertyNames: ['object'],
  minProperties: ['object'],
  maxProperties: ['object'],
  items: ['array'],
  prefixItems: ['array'],
  additionalItems: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
  contains: ['array'],
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  minimum: ['number'],
  maximum: ['number'],
  exclusiveMinimum: ['number'],
  exclusiveMaximum: ['number'],
  multipleOf: ['number'],
};

/** Keywords that no rules are written for: what they forbid is found when the answer is there. */
const CHECKED =
  'dependentRequired dependentSchemas dependencies unevaluatedProperties unevaluatedItems maxContains minContains'.split(
    ' ',
  );

export class SchemaRefusal extends EngineError {
  constructor(place: string, message: string) {
    super('invalid_request', `The JSON schema at ${place}: ${message}`, 'response_format');
  }
}

/** Whether something stands here that is enforced by checking the answer alone. */
export function isChecked(schema: Schema): boolean {
  if (CHECKED.some((key) => schema[key] !== undefined)) return true;
  const { not } = schema;
  if (not === undefined || not === false) return false;
  const decided =
    forbiddenTypes(schema).length > 0 || forbiddenValues(schema).some((value) => typeof value === 'string');
  return (
    !decided ||
    Object.keys(not as object).length > 1 ||
    forbiddenValues(schema).some((value) => typeof value !== 'string')
  );
}

/** Types that `not` names; an integer is also a number, and is left to be checked. */
export function forbiddenTypes({ not }: Schema): readonly JsonType[] {
  const types = isSchema(not) && Object.keys(not).length === 1 ? namedTypes(not, '#/not') : null;
  return types && !types.includes('integer') ? types : [];
}

/** Values that `not` names. */
export function forbiddenValues({ not }: Schema): unknown[] {
  if (!isSchema(not) || Object.keys(not).length !== 1) return [];
  return Array.isArray(not['enum']) ? not['enum'] : not['const'] === undefined ? [] : [not['const']];
}

/** Types that a schema names; null: none. */
export function namedTypes({ type }: Schema, place: string): readonly JsonType[] | null {
  if (type === undefined) return null;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  for (const name of types) {
    if (!TYPES.includes(String(name))) throw new SchemaRefusal(place, `${JSON.stringify(name)} is not a type.`);
  }
  if (types.length === 0) throw new SchemaRefusal(place, '`type` is empty.');
  return types as JsonType[];
}

/** Types that the keywords of a schema speak about: what it is meant for where it names none; null: any. */
export function meantTypes(schema: Schema): readonly JsonType[] | null {
  const types = Object.keys(BY_TYPE).flatMap((key) => (schema[key] === undefined ? [] : BY_TYPE[key]!));
  return types.length === 0 ? null : types;
}

/** Types of both. */
export function sharedTypes(a: readonly JsonType[], b: readonly JsonType[]): JsonType[] {
  const among = (types: readonly JsonType[], type: JsonType): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  return [...new Set([...a.filter((type) => among(b, type)), ...b.filter((type) => among(a, type))])];
}

export function isOfType(value: unknown, types: readonly JsonType[]): boolean {
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value !== 'number') return types.includes(typeof value as JsonType);
  return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A keyword's list; undefined where the keyword isn't there. */
export function list(schema: Schema, key: string, place: string, mayBeEmpty = false): unknown[] | undefined {
  const value = schema[key];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && (value.length > 0 || mayBeEmpty)) return value;
  throw new SchemaRefusal(place, `\`${key}\` must be a list${mayBeEmpty ? '' : ' that is not empty'}.`);
}

/** A keyword's object of schemas. */
export function record(schema: Schema, key: string, place: string): Schema {
  const value = schema[key] ?? {};
  if (isSchema(value)) return value;
  throw new SchemaRefusal(place, `\`${key}\` must be an object.`);
}

export function count(schema: Schema, key: string, place: string): number | null {
  const value = schema[key];
  if (value === undefined) return null;
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT) return value as number;
  throw new SchemaRefusal(place, `\`${key}\` must be an integer from 0 to ${MAX_COUNT}.`);
}

export function finite(schema: Schema, key: string, place: string): number | null {
  const value = schema[key];
  if (value === undefined) return null;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new SchemaRefusal(place, `\`${key}\` must be a number.`);
}
