import { type DescribedOperation, describedOperations } from '../http/described-operations.js';
import { ACCOUNT_REQUESTS } from './account-requests.js';
import { ARTIFACT_REQUESTS } from './artifact-requests.js';
import { AUTOMATION_REQUESTS } from './automation-requests.js';
import { MODEL_REQUESTS } from './model-requests.js';
import { REGISTRY_REQUESTS } from './registry-requests.js';
import type { Builders, Request } from './request.js';
import { type Role, ROLES, Scene } from './scene.js';
import { readTable, type Row, rowText } from './table.js';
import { TRACING_REQUESTS } from './tracing-requests.js';

const BUILDERS: Builders = {
  ...ACCOUNT_REQUESTS,
  ...ARTIFACT_REQUESTS,
  ...AUTOMATION_REQUESTS,
  ...MODEL_REQUESTS,
  ...REGISTRY_REQUESTS,
  ...TRACING_REQUESTS,
};

const operations = describedOperations();
const table = readTable();

describe('who may do what', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.start();
    await trace();
  }, 60_000);
  afterAll(() => scene.close());

  /** What the requests of the tracing routes speak of. */
  async function trace(): Promise<void> {
    const project_id = 'weavers/loom';
    const started_at = '2026-01-31T12:00:00Z';
    const start = { project_id, id: 'c', trace_id: 't', op_name: 'op', started_at, attributes: {}, inputs: {} };
    await scene.make('POST', '/obj/create', { obj: { project_id, object_id: 'prompt', val: { text: 'woven' } } });
    await scene.make('POST', '/table/create', { table: { project_id, rows: [] } });
    await scene.make('POST', '/call/start', { start });
    const span = { ...start, id: 's', trace_id: 'spans', attributes: { gen_ai: { operation: { name: 'chat' } } } };
    await scene.make('POST', '/call/start', { start: span });
    const form = new FormData();
    form.set('project_id', project_id);
    form.set('file', new Blob(['woven']), 'file.txt');
    scene.names['digest'] = String((await scene.make('POST', '/file/create', form))['digest']);
  }

  /** Requests without a builder are their template, filled with the scene's names. */
  const build = async (operation: DescribedOperation, role: Role): Promise<Request> =>
    (await BUILDERS[operation.name]?.(scene, role)) ?? { path: filled(operation.template, scene.names) };

  async function ask(operation: DescribedOperation, role: Role, request: Request): Promise<string> {
    const { path, body, headers, shows = '' } = request;
    const isText = body instanceof FormData || typeof body === 'string' || body === undefined;
    const response = await fetch(scene.api.url + path, {
      method: operation.method,
      headers: { ...scene.headers(role), ...headers },
      ...(body === undefined ? {} : { body: isText ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    return response.status === 200 && !text.includes(shows) ? 'hidden' : String(response.status);
  }

  /** The weakest ask first: what was refused has used up nothing, so that the next one may ask the same. */
  async function askAll(operation: DescribedOperation): Promise<Row> {
    const row = {} as Row;
    let request: Request | null = null;
    for (const role of ROLES) {
      request ??= await build(operation, role);
      row[role] = await ask(operation, role, request);
      if (request.isOwn || (operation.method !== 'GET' && row[role].startsWith('2'))) request = null;
    }
    return row;
  }

  it('is said of every operation, and of nothing else', () => {
    expect([...table.keys()].sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it.each(operations)('is as the table says: $name', async (operation) => {
    const row = rowText(operation.name, await askAll(operation));
    const expected = table.get(operation.name);
    expect(row).toBe(expected ? rowText(operation.name, expected) : 'a row of the table');
  });

  it('is asked with requests of operations that there are', () => {
    const known = new Set(operations.map(({ name }) => name));
    expect(Object.keys(BUILDERS).filter((name) => !known.has(name))).toEqual([]);
  });
});

/** Labels and whatever else is put under a name of one's own get a name that says nothing. */
const filled = (template: string, names: Record<string, string>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? 'some-label'));
