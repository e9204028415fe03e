import { EngineError } from '../protocol/engine.errors.js';

export type Schema = Record<string, unknown>;
export type JsonType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

const TYPES: readonly string[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** Keywords that are enforced, by the type of value they speak about. */
const BY_TYPE: Record<string, readonly JsonType[]> = {
  properties: ['object'],
  required: ['object'],
  additionalProperties: ['object'],
  minProperties: ['object'],
  maxProperties: ['object'],
  items: ['array'],
  prefixItems: ['array'],
  additionalItems: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  minLength: ['string'],
  maxLength: ['string'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
};

/** Keywords that say what a value may be as a whole: one of them alone, or with `type`. */
const WHOLE = ['$ref', 'const', 'enum', 'anyOf', 'oneOf', 'allOf'] as const;

/** Keywords that would forbid values and are not enforced; all others are notes, as JSON Schema has it. */
const UNSUPPORTED = [
  'not if then else pattern patternProperties propertyNames dependentRequired dependentSchemas dependencies',
  'unevaluatedProperties unevaluatedItems uniqueItems contains minContains maxContains multipleOf $dynamicRef',
]
  .join(' ')
  .split(' ');

export class SchemaRefusal extends EngineError {
  constructor(place: string, message: string) {
    super('invalid_request', `The JSON schema at ${place}: ${message}`, 'response_format');
  }
}

/** @throws SchemaRefusal where a keyword would have to be passed over. */
export function checkKeywords(schema: Schema, place: string): void {
  for (const key of UNSUPPORTED) {
    const value = schema[key];
    const idle = value === undefined || (key === 'uniqueItems' && value === false);
    if (!idle) throw new SchemaRefusal(place, `\`${key}\` is not supported.`);
  }
  const whole = WHOLE.filter((key) => schema[key] !== undefined);
  const beside = [...whole.slice(1), ...(whole.length > 0 ? partKeywords(schema) : [])];
  if (beside.length > 0) throw new SchemaRefusal(place, `\`${whole[0]}\` beside \`${beside[0]}\` is not supported.`);
}

export function wholeKeyword(schema: Schema): (typeof WHOLE)[number] | null {
  return WHOLE.find((key) => schema[key] !== undefined) ?? null;
}

/** Types that a schema allows: those it names, else those that its keywords speak about; null: any. */
export function typesOf(schema: Schema, place: string): JsonType[] | null {
  const { type } = schema;
  if (type === undefined) {
    const types = partKeywords(schema).flatMap((key) => BY_TYPE[key]!);
    return types.length === 0 ? null : [...new Set(types)];
  }
  const types: unknown[] = Array.isArray(type) ? type : [type];
  for (const name of types) {
    if (!TYPES.includes(String(name))) throw new SchemaRefusal(place, `${JSON.stringify(name)} is not a type.`);
  }
  if (types.length === 0) throw new SchemaRefusal(place, '`type` is empty.');
  return types as JsonType[];
}

export function isOfType(value: unknown, types: readonly JsonType[] | null): boolean {
  if (types === null) return true;
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value !== 'number') return types.includes(typeof value as JsonType);
  return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function partKeywords(schema: Schema): string[] {
  return Object.keys(BY_TYPE).filter((key) => schema[key] !== undefined);
}
