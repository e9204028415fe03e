interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}

interface Content {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Operation {
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
}

export interface ApiDocument {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** What Swagger UI would send when somebody presses "Execute" and has typed nothing. */
export interface SwaggerRequest {
  /** `POST /v1/users`, and the name of the example where there is a choice. */
  name: string;
  tag: string;
  method: string;
  template: string;
  parameters: Record<string, unknown>;
  query: Record<string, string>;
  type: string | null;
  /** Of JSON; `null` where there is nothing to send, or a file is to be chosen. */
  body: unknown;
}

/** Requests of all examples, in the order in which the page shows operations: by tag, and then as the document has them. */
export function swaggerRequests(document: ApiDocument): SwaggerRequest[] {
  const all = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => requestsOf(document, template, method, operation)),
  );
  return document.tags.flatMap(({ name }) => all.filter(({ tag }) => tag === name));
}

function requestsOf(
  document: ApiDocument,
  template: string,
  method: string,
  { tags, parameters = [], requestBody }: Operation,
): SwaggerRequest[] {
  const name = `${method.toUpperCase()} ${template}`;
  const filled = (where: string): [string, unknown][] =>
    parameters
      .filter((each) => each.in === where)
      .map((each) => [each.name, each.example ?? sampleOf(each.schema ?? {}, document, each.required ?? false)]);
  const request = {
    ...{ name, tag: tags[0]!, method: method.toUpperCase(), template },
    parameters: Object.fromEntries(filled('path')),
    query: Object.fromEntries(
      filled('query')
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [key, String(value)]),
    ),
  };
  const [type = null, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!content || type !== 'application/json') return [{ ...request, type, body: null }];
  const named = Object.entries(content.examples ?? {});
  if (named.length > 0)
    return named.map(([title, { value }]) => ({ ...request, name: `${name} (${title})`, type, body: value }));
  return [{ ...request, type, body: content.example ?? sampleOf(content.schema ?? {}, document) }];
}

/** @param invents whether something stands where the schema shows nothing: the page leaves optional parameters empty */
function sampleOf(given: Schema, document: ApiDocument, invents = true): unknown {
  const schema = given.$ref ? document.components.schemas[given.$ref.split('/').at(-1)!]! : given;
  const shown = schema.example ?? (invents ? schema.examples?.[0] : undefined) ?? schema.default ?? schema.const;
  if (shown !== undefined || !invents) return shown;
  if (schema.enum) return schema.enum[0];
  const parts = [...(schema.allOf ?? []), ...[schema.oneOf?.[0] ?? schema.anyOf?.[0] ?? []].flat()];
  const samples = parts.map((part) => sampleOf(part, document));
  if (samples.length > 0 && !schema.properties)
    return samples.length === 1 ? samples[0] : Object.assign({}, ...samples);
  switch ([schema.type].flat()[0]) {
    case 'array':
      return [sampleOf(schema.items ?? {}, document)];
    case 'string':
      return 'string';
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 0;
    default: {
      const own = Object.entries(schema.properties ?? {}).map(([key, value]) => [key, sampleOf(value, document)]);
      return Object.assign({}, ...samples, Object.fromEntries(own)) as unknown;
    }
  }
}
