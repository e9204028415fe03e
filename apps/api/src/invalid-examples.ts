import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
}

interface Operation {
  parameters?: { name: string; in: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema; example?: unknown }> }>;
}

/** A place in a request, and what stands there. */
interface Field {
  loc: string[];
  schema: Schema | undefined;
  isRequired: boolean;
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer number',
  number: 'a number',
  boolean: 'a boolean value',
  array: 'an array',
  object: 'an object',
};

const FORMATS: Readonly<Record<string, { msg: string; type: string }>> = {
  uuid: { msg: 'must be a UUID', type: 'is_uuid' },
  'date-time': { msg: 'must be a valid ISO 8601 date string', type: 'is_iso8601' },
};

const REQUEST_ID = '0b8f6a4e-58a5-4c7c-9d0c-1d6a3a1b2c3d';

/** Shows the 422 of each operation with a field of its own: the first that it requires, or else the first there is. */
export function showInvalidFields(document: OpenAPIObject): OpenAPIObject {
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[])) {
    const answer = operation.responses['422']?.content?.['application/json'];
    const fields = [...bodyFields(operation, document), ...parameterFields(operation)];
    const field = fields.find(({ isRequired }) => isRequired) ?? fields[0] ?? BODY;
    if (answer?.schema?.$ref?.endsWith('/ValidationErrorDto')) answer.example = exampleOf(field);
  }
  return document;
}

/** What has no fields to name is wrong as a whole. */
const BODY: Field = { loc: ['body'], schema: { type: 'object' }, isRequired: false };

function bodyFields({ requestBody }: Operation, document: OpenAPIObject): Field[] {
  const body = requestBody?.content['application/json']?.schema;
  const schema = body?.$ref ? (document.components?.schemas?.[body.$ref.split('/').at(-1)!] as Schema) : body;
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    loc: ['body', name],
    schema: property,
    isRequired: schema!.required?.includes(name) ?? false,
  }));
}

/** Those of the query first: a path that is wrong is mostly another one. Of a path no part can be missing. */
const parameterFields = ({ parameters = [] }: Operation): Field[] =>
  parameters
    .toSorted((a, b) => Number(b.in === 'query') - Number(a.in === 'query'))
    .map(({ name, in: where, schema }) => ({ loc: [where, name], schema, isRequired: false }));

function exampleOf(field: Field): unknown {
  const { msg, type } = problemOf(field);
  const detail = { loc: field.loc, msg: `${field.loc.at(-1)} ${msg}`, type };
  return { detail: [detail], code: 'validation_error', request_id: REQUEST_ID };
}

/** What the first check would say that such a value can fail: in a path or a query everything is a string. */
function problemOf({ loc, schema = {}, isRequired }: Field): { msg: string; type: string } {
  const type = [schema.type].flat()[0] ?? 'object';
  const expected = { msg: `must be ${EXPECTED[type]}`, type: `is_${type === 'integer' ? 'int' : type}` };
  if (isRequired) return { ...expected, type: 'missing' };
  if (schema.enum) return { msg: `must be one of the following values: ${schema.enum.join(', ')}`, type: 'is_in' };
  if (type !== 'string' || loc[0] === 'body') return expected;
  const { format = '', maxLength } = schema;
  const other = { msg: 'must be a name', type: 'matches' };
  const tooLong = { msg: `must be shorter than or equal to ${maxLength} characters`, type: 'max_length' };
  return FORMATS[format] ?? (maxLength ? tooLong : other);
}
