import { readFileSync } from 'node:fs';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  example?: unknown;
  examples?: unknown[];
}

interface Operation {
  parameters?: { name: string; in: string; schema?: Schema; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** An operation that takes JSON: its address as the examples fill it, the names of its fields, and a body to start from. */
export interface DescribedBody {
  name: string;
  method: string;
  path: string;
  fields: string[];
  body: Record<string, unknown>;
}

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;

/** Every operation of openapi.json with a JSON body. */
export function describedBodies(): DescribedBody[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const content = operation.requestBody?.content['application/json'];
      if (!content) return [];
      const properties = propertiesOf(content.schema);
      const example = Object.values(content.examples ?? {})[0]?.value as Record<string, unknown> | undefined;
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: filled(path, operation),
        fields: Object.keys(properties),
        body: example ?? examplesOf(properties),
      };
    }),
  );
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  const resolved = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
  return Object.assign({}, resolved.properties, ...(resolved.allOf ?? []).map(propertiesOf)) as Record<string, Schema>;
}

const exampleOf = ({ example, examples }: Schema): unknown => example ?? examples?.[0];

const examplesOf = (properties: Record<string, Schema>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, exampleOf(schema)]));

function filled(path: string, { parameters = [] }: Operation): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name);
    const value = parameter?.example ?? exampleOf(parameter?.schema ?? {});
    return encodeURIComponent(String(value ?? 'x'));
  });
}
