import type { OpenAPIObject } from '@nestjs/swagger';

type Json = Record<string, unknown>;

/**
 * The Swagger generator writes OpenAPI 3.0 idioms whatever version it is told. OpenAPI 3.1 schemas are JSON Schema:
 * `nullable` is a type, `example` in a schema is `examples`, and exclusive bounds are numbers.
 */
export function toOpenApi31(document: OpenAPIObject): OpenAPIObject {
  return convert(document) as OpenAPIObject;
}

/**
 * Many languages know no classes by property (`\\p{Cc}`): control characters are named by their codes. Lone surrogates are
 * refused all the same, but no text that arrives as UTF-8 has any.
 */
const portable = (pattern: string): string =>
  pattern
    .replaceAll('\\p{Cs}', '')
    .replaceAll('\\p{Cc}', String.raw`\x00-\x1f\x7f-\x9f`)
    .replaceAll('\\0', String.raw`\x00`);

function convert(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(convert);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node as Json).map(([key, value]): [string, unknown] => [
    key,
    isUsersData(key) ? value : key === 'pattern' && typeof value === 'string' ? portable(value) : convert(value),
  ]);
  return anyNameAsAdditional(nullableAsType(Object.fromEntries(entries)));
}

/** Fields of any name, as all generators of clients know them. */
function anyNameAsAdditional(schema: Json): Json {
  const { patternProperties: patterns, ...rest } = schema;
  const any = (patterns as Json | undefined)?.['^.*$'];
  return any === undefined || Object.keys(patterns as Json).length > 1
    ? schema
    : { ...rest, additionalProperties: any };
}

/** What looks like a keyword there is none. */
const isUsersData = (key: string): boolean => key === 'example' || key === 'examples';

function nullableAsType(schema: Json): Json {
  if (schema['nullable'] !== true) {
    if (typeof schema['nullable'] === 'boolean') delete schema['nullable'];
    return schema;
  }
  const { nullable: _, ...rest } = schema;
  if (typeof rest['type'] === 'string') {
    const withNull = { ...rest, type: [rest['type'], 'null'] };
    return Array.isArray(rest['enum']) ? { ...withNull, enum: [...(rest['enum'] as unknown[]), null] } : withNull;
  }
  const { allOf, description, ...others } = rest;
  const inner =
    Array.isArray(allOf) && allOf.length === 1 ? (allOf[0] as Json) : { ...others, ...(allOf ? { allOf } : {}) };
  return { ...(description ? { description } : {}), anyOf: [inner, { type: 'null' }] };
}
