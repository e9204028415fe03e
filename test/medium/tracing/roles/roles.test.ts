import { startApi, type TestApi } from '../../../support/api.js';
import type { GivenUser } from '../../../support/given.js';
import { reads, type TracingRequest, writes } from './tracing-requests.js';

/** Asked in another way, each with a test of its own here, or no project's. */
const OTHERS = [
  ...['/graphql', '/refs/read_batch', '/file/content', '/files/content', '/health', '/server_info'],
  // Of models, where vLLM has them.
  ...['/tokenize', '/detokenize'],
  ...['/service/projects_info', '/project/ttl_settings/update'],
];

const names = (requests: (projectId: string) => TracingRequest[]): [string, number][] =>
  requests('team/project').map(({ method = 'POST', path }, i) => [`${method} ${path}`, i]);

describe('Roles in the tracing API', () => {
  let api: TestApi;
  let member: GivenUser & { entity: string };
  let demoted: GivenUser;
  let invited: GivenUser;
  let helper: GivenUser;
  let stranger: GivenUser;
  let projectId: string;
  let counter = 0;

  beforeAll(async () => {
    api = await startApi();
    const team = await api.given.team();
    member = { ...(await api.given.user({ teams: [team] })), entity: team.name };
    demoted = await api.given.user({ teams: [team] });
    [invited, helper, stranger] = [await api.given.member(), await api.given.member(), await api.given.member()];
  });
  afterAll(() => api.close());

  beforeEach(async () => {
    const name = `loom-${++counter}`;
    projectId = `${member.entity}/${name}`;
    await ask(member, { path: '/obj/create', body: { obj: { project_id: projectId, object_id: 'prompt', val: {} } } });
    await ask(member, { path: '/table/create', body: { table: { project_id: projectId, rows: [] } } });
    await ask(member, { path: '/call/start', body: { start: { project_id: projectId, id: 'c', inputs: {} } } });
    const attributes = { gen_ai: { operation: { name: 'chat' } } };
    const span = { project_id: projectId, id: 's', trace_id: 'spans', inputs: {}, attributes };
    await ask(member, { path: '/call/start', body: { start: span } });
    await api.database.pool.query(
      `WITH project AS (SELECT id FROM projects WHERE name = $1), queue AS (
         INSERT INTO annotation_queues (project_id, id, name, description, scorer_refs, created_by)
         SELECT id, 'queue', 'queue', '', '{}', '' FROM project
       )
       INSERT INTO annotation_queue_items (project_id, id, queue_id, call_id, call_started_at, call_op_name, call_trace_id,
         display_fields, added_by)
       SELECT id, 'item', 'queue', 'c', now(), '', '', '{}', '' FROM project`,
      [name],
    );
    const grant = (user: GivenUser, role: string) =>
      api.database.pool.query(
        'INSERT INTO project_members (project_id, user_id, role) SELECT id, $1, $2 FROM projects WHERE name = $3',
        [user.id, role, name],
      );
    await grant(demoted, 'viewer');
    await grant(invited, 'viewer');
    await grant(helper, 'member');
  });

  const ask = async (user: GivenUser, { method, path, body, headers }: TracingRequest) => {
    const text = body instanceof FormData || !body ? body : JSON.stringify({ project_id: projectId, ...body });
    const init = { method: method ?? 'POST', body: text, headers: { ...user.basic, ...headers } };
    const response = await fetch(api.url + path, init);
    return { status: response.status, text: await response.text() };
  };
  const status = async (user: GivenUser, request: TracingRequest): Promise<number> => (await ask(user, request)).status;

  describe.each(names(writes))('%s', (_name, i) => {
    it('is for members; a viewer is told which role is missing, another team nothing', async () => {
      const request = writes(projectId)[i]!;
      for (const viewer of [demoted, invited]) {
        const refusal = await ask(viewer, request);
        expect(refusal).toMatchObject({ status: 403, text: expect.stringContaining(`You need the role 'member' in`) });
      }
      expect(await status(stranger, request)).toBe(404);
      expect(await status(member, request)).toBe(200);
    });

    it('is for members from outside the team, too', async () => {
      expect(await status(helper, writes(projectId)[i]!)).toBe(200);
    });
  });

  it.each(names(reads))('%s is for whoever has a role in the project', async (_name, i) => {
    const request = reads(projectId)[i]!;
    for (const user of [member, demoted, invited]) expect(await status(user, request)).toBe(200);
    expect(await status(stranger, request)).toBe(404);
  });

  it('reads references into the project for whoever has a role there; others learn nothing', async () => {
    const request = { path: '/refs/read_batch', body: { refs: [`weave:///${projectId}/object/prompt:v0`] } };
    expect(JSON.parse((await ask(invited, request)).text)).toEqual({ vals: [{}] });
    expect(await ask(stranger, request)).toEqual({ status: 200, text: '{"vals":[null]}' });
  });

  it('names projects to whoever has a role there, and leaves the others out', async () => {
    const request = { path: '/service/projects_info', body: { project_ids: [projectId] } };
    expect(JSON.parse((await ask(invited, request)).text)).toMatchObject([{ external_project_id: projectId }]);
    expect(await ask(stranger, request)).toEqual({ status: 200, text: '[]' });
  });

  it('lets nobody from outside the team say how long calls are kept', async () => {
    const request = { path: '/project/ttl_settings/update', body: { retention_days: 1 } };
    expect(await status(helper, request)).toBeGreaterThanOrEqual(403);
    expect(await status(stranger, request)).toBe(404);
  });

  it('reads files for whoever has a role in their project', async () => {
    const created = await ask(
      member,
      writes(projectId).find(({ path }) => path === '/files/create')!,
    );
    const request = { path: '/files/content', body: JSON.parse(created.text) as object };
    expect(await ask(invited, request)).toEqual({ status: 200, text: 'content' });
    expect(await status(stranger, request)).toBe(404);
  });

  it('lets upsertModel of /graphql name the role that is missing', async () => {
    const [entityName, name] = projectId.split('/');
    const query = 'mutation ($input: UpsertModelInput!) { upsertModel(input: $input) { inserted } }';
    const upsert = (user: GivenUser) =>
      ask(user, { path: '/graphql', body: { query, variables: { input: { entityName, name } } } });
    expect((await upsert(invited)).text).toMatch(/You need the role 'member' in.*PERMISSION_ERROR/);
    expect((await upsert(stranger)).text).toContain('PERMISSION_ERROR');
    expect(JSON.parse((await upsert(member)).text)).toEqual({ data: { upsertModel: { inserted: false } } });
  });

  it('is tested here for every route', async () => {
    const { paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    const tested = [...writes('team/project'), ...reads('team/project')].map(({ path }) => path.split('?', 1)[0]!);
    const untested = Object.keys(paths)
      .filter((path) => !path.startsWith('/v1/') && !path.startsWith('/health') && !OTHERS.includes(path))
      .filter((path) => {
        const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
        return !tested.some((each) => pattern.test(each));
      });
    expect(untested).toEqual([]);
  });
});
