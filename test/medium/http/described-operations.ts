import { readFileSync } from 'node:fs';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
}

export interface DescribedParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}

interface Content {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/** An operation of openapi.json with a request that its examples make. */
export interface DescribedOperation {
  /** `GET /v1/me` */
  name: string;
  method: string;
  /** With the examples in it. */
  path: string;
  template: string;
  parameters: DescribedParameter[];
  /** Absent where it takes none. */
  body?: { type: string; text: string };
  isPublic: boolean;
  isStream: boolean;
}

interface Operation {
  parameters?: DescribedParameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, unknown> }>;
  security?: unknown[];
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;

export function describedOperations(): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters = [], requestBody, security = [], responses } = operation;
      const body = requestBody && bodyOf(requestBody.content);
      return {
        name: `${method.toUpperCase()} ${template}`,
        method: method.toUpperCase(),
        path: filled(template, parameters),
        template,
        parameters,
        ...(body ? { body } : {}),
        isPublic: security.length === 0,
        isStream: Object.values(responses).some(({ content }) => content && 'text/event-stream' in content),
      };
    }),
  );
}

function bodyOf(content: Record<string, Content>): { type: string; text: string } {
  const [type, { schema = {}, example, examples = {} }] = Object.entries(content)[0]!;
  const value = example ?? Object.values(examples)[0]?.value ?? examplesOf(schema);
  return { type, text: typeof value === 'string' ? value : JSON.stringify(value) };
}

const exampleOf = ({ example, examples }: Schema): unknown => example ?? examples?.[0];

function examplesOf(schema: Schema): Record<string, unknown> {
  const entries = Object.entries(propertiesOf(schema)).map(([name, property]) => [name, exampleOf(property)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  const resolved = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
  return Object.assign({}, resolved.properties, ...(resolved.allOf ?? []).map(propertiesOf)) as Record<string, Schema>;
}

const valueOf = ({ name, schema = {}, example }: DescribedParameter): unknown =>
  example ?? exampleOf(schema) ?? (schema.format === 'uuid' ? '0b8f6a4e-58a5-4c7c-9d0c-1d6a3a1b2c3d' : `some-${name}`);

/** What is required stands in it; `*path` may hold slashes. */
function filled(template: string, parameters: DescribedParameter[]): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name);
    return encodeURIComponent(String(parameter ? valueOf(parameter) : 'x'));
  });
  const query = parameters.filter((each) => each.in === 'query' && each.required);
  if (query.length === 0) return path;
  return `${path}?${new URLSearchParams(query.map((each): [string, string] => [each.name, String(valueOf(each))])).toString()}`;
}
