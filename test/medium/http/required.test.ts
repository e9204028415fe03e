import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';
import { describedBodies } from './described-bodies.js';
import { describedOperations } from './described-operations.js';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

type Place = (string | number)[];

const { paths, components } = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;

/** Places of all that the schema requires, as far as the body goes: in the first of a list's items too. */
function required(schema: Schema, body: unknown, at: Place = []): Place[] {
  const { $ref, allOf = [], properties = {}, required: names = [], items } = schema;
  if ($ref) return required(components.schemas[$ref.split('/').at(-1)!]!, body, at);
  if (Array.isArray(body)) return items && body.length > 0 ? required(items, body[0], [...at, 0]) : [];
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  return [
    ...allOf.flatMap((part) => required(part, body, at)),
    ...names.map((name) => [...at, name]),
    ...Object.entries(properties).flatMap(([name, property]) =>
      fields[name] === undefined ? [] : required(property, fields[name], [...at, name]),
    ),
  ];
}

function without(body: unknown, place: Place): unknown {
  const copy = structuredClone(body);
  let parent = copy as Record<string | number, unknown>;
  for (const key of place.slice(0, -1)) parent = parent[key] as Record<string | number, unknown>;
  delete parent[place.at(-1)!];
  return copy;
}

/** In `/v2/{entity}/{project}`, too, there is a project. */
const placed = (path: string): string => path.replace(/^\/v2\/[^/]+\/[^/]+/, '/v2/acme/support');

/**
 * The wandb SDK's route answers as GraphQL servers do; an end without an id is passed over, as in a batch; and where the path
 * names the project, the body needn't.
 */
const isOther = (name: string, field: string): boolean =>
  name === 'POST /graphql' ||
  (name.endsWith('/call/end') && field === 'end.id') ||
  (name.includes('/v2/') && field.endsWith('.project_id'));

const bodies = describedBodies().flatMap((operation) => {
  const [method, template] = operation.name.split(' ') as [string, string];
  const { schema } = paths[template]![method.toLowerCase()]!.requestBody!.content['application/json']!;
  const places = new Map(required(schema, operation.body).map((place) => [place.join('.'), place]));
  return [...places]
    .filter(([field]) => !isOther(operation.name, field))
    .map(([field, place]) => ({ ...operation, path: placed(operation.path), field, place }));
});

const queries = describedOperations().flatMap((operation) =>
  operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required && parameter.schema?.default === undefined)
    .map(({ name }) => ({ ...operation, path: placed(operation.path), field: name })),
);

describe('what is missing', () => {
  let api: TestApi;
  let user: GivenUser;
  beforeAll(async () => {
    api = await startApi({ SECRETS_KEY: randomBytes(32).toString('base64') });
    const team = await api.given.team('weavers');
    const tracing = await api.given.team('acme');
    const teams = [team, tracing].map(({ id }) => ({ id, role: 'admin' as const }));
    user = await api.given.user({ username: 'ada', isAdmin: true, teams });
    const make = (path: string, body: object) => ask('POST', path, body);
    await make('/v1/projects', { name: 'loom' });
    await make('/v1/projects/weavers/loom/runs', { name: 'loom-r1' });
    await make('/v1/projects/weavers/loom/artifacts', { name: 'chat-model', type: 'model' });
    await make('/v1/registries', { name: 'releases' });
    // The models of the examples.
    for (const id of ['5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11', '8d6f4a2e-3c1b-4f5a-9e7d-2b0c6a1f4e88']) {
      const name = `agent-${id}`;
      await make('/v1/preview/models', { project: 'loom', name, base_model: 'heddle/shuttle-1m' });
      await api.database.pool.query('UPDATE models SET id = $1 WHERE name = $2', [id, name]);
    }
  }, 60_000);
  afterAll(() => api.close());

  async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
    const init = { method, headers: user.bearer, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(api.url + path, init);
    return { status: response.status, text: await response.text() };
  }

  it('is looked for in many places', () => {
    expect([bodies.length > 80, queries.length > 4]).toEqual([true, true]);
  });

  it.each(bodies)(
    'is named, and said to be required: $field of $name',
    async ({ method, path, body, field, place }) => {
      const { status, text } = await ask(method, path, without(body, place));
      expect([status, text]).toEqual([expect.any(Number), expect.stringContaining('is required')]);
      expect([status, namedIn(text)]).toEqual([isOpenAi(path) ? 400 : 422, expect.arrayContaining([field])]);
    },
  );

  it.each(queries)('is named, and said to be required: ?$field of $name', async ({ method, path, field }) => {
    const [plain, query] = path.split('?') as [string, string];
    const rest = new URLSearchParams(query);
    rest.delete(field);
    const { status, text } = await ask(method, `${plain}?${rest.toString()}`);
    expect([status, text]).toEqual([422, expect.stringContaining('is required')]);
    expect(namedIn(text)).toContain(field);
  });
});

const isOpenAi = (path: string): boolean => /^\/(v1\/(chat|completions|responses)|tokenize|detokenize)/.test(path);

interface Refusal {
  detail?: { loc: string[] }[];
  error?: { param: string | null };
}

/** Places that an answer names, in the body or the query. */
function namedIn(text: string): (string | null)[] {
  const { detail, error } = JSON.parse(text) as Refusal;
  if (error) return [error.param?.replaceAll(/\[(\d+)\]/g, '.$1') ?? null];
  return (detail ?? []).map(({ loc }) => loc.slice(1).join('.'));
}
