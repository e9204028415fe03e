import type { TSchema } from 'typebox';

/** The JSON Schema of a setting: what {@link demandOf} understands of it. */
interface Shape {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: TSchema[];
  items?: TSchema;
  patternProperties?: Record<string, TSchema>;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** What a schema demands of a value, in words that end the sentence "it must be": `a number from -4 to 4`. */
export function demandOf(schema: TSchema): string {
  const shape = schema as Shape;
  if (shape.anyOf) return shape.anyOf.map(demandOf).join(' or ');
  if (shape.const !== undefined) return quoted(shape.const);
  if (shape.enum) return `one of ${shape.enum.map(quoted).join(', ')}`;
  switch (shape.type) {
    case 'boolean':
      return 'true or false';
    case 'array':
      return `${listOf(shape)} ${several(shape.items!)}`;
    case 'object':
      // The one setting of this kind is `logit_bias`.
      return `an object of ${Object.values(shape.patternProperties!).map(several).join(' or ')} with token ids as keys`;
    default:
      return `a ${noun(shape)}${limits(shape)}`;
  }
}

const several = (schema: TSchema): string => `${noun(schema)}s${limits(schema)}`;

function noun({ type }: Shape): string {
  if (type === 'integer') return 'whole number';
  return type === 'number' ? 'number' : 'string';
}

function limits({ minimum, exclusiveMinimum, maximum, minLength, maxLength }: Shape): string {
  if (maxLength !== undefined) return ` of ${minLength ?? 0} to ${maxLength} characters`;
  if (exclusiveMinimum !== undefined) {
    return ` above ${exclusiveMinimum}${maximum === undefined ? '' : ` and at most ${maximum}`}`;
  }
  if (minimum === undefined) return '';
  return maximum === undefined ? ` from ${minimum} on` : ` from ${minimum} to ${maximum}`;
}

function listOf({ minItems, maxItems }: Shape): string {
  const least = minItems === undefined ? '' : 'non-empty ';
  return `a ${least}list of${maxItems === undefined ? '' : ` at most ${maxItems}`}`;
}

const quoted = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value));
