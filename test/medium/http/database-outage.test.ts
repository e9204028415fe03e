import { startApi, type TestApi } from '../../support/api.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { Given, type GivenUser } from '../../support/given.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { type DescribedOperation, describedOperations } from './described-operations.js';

/** As `.env.example` states. */
const STATED_MS = 12_000;
/** A loaded machine is late itself. */
const SLACK_MS = 8000;

/** They answer 200, or speak of the outage in a form of their own. */
const PROBES = /^\/(health|v1\/health|v1\/system-check|metrics|docs|openapi)/;

describe('an API whose database', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let api: TestApi;
  let user: GivenUser;
  const operations = describedOperations().filter(({ template }) => !PROBES.test(template));

  beforeAll(async () => {
    database = await createDatabase();
    proxy = new TcpProxy(new URL(database.url));
    api = await startApi({
      DATABASE_URL: await proxy.start(),
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      // Callers are remembered, so that requests get beyond the check of their key.
      AUTH_CACHE_SECONDS: '60',
      DATABASE_TIMEOUT_SECONDS: '1',
    });
    const given = new Given(database.pool);
    const team = await given.team('weavers');
    user = await given.user({ username: 'ada', isAdmin: true, teams: [{ id: team.id, role: 'admin' }] });
    for (const authorization of [user.bearer, user.basic]) await fetch(`${api.url}/v1/me`, { headers: authorization });
  }, 60_000);
  afterAll(async () => {
    await proxy.pass();
    await api.close();
    await proxy.refuse();
    await database.drop();
  });

  async function ask({ method, path, body }: DescribedOperation): Promise<Response> {
    const headers = { ...user.bearer, ...(body ? { 'content-type': body.type } : {}) };
    const init = {
      method,
      headers,
      signal: AbortSignal.timeout(STATED_MS + SLACK_MS),
      ...(body ? { body: body.text } : {}),
    };
    const response = await fetch(api.url + path, init);
    await response.arrayBuffer();
    return response;
  }

  /** Of each operation: its status, and when to come back. */
  const askAll = (): Promise<[string, string][]> =>
    Promise.all(
      operations.map(async (operation): Promise<[string, string]> => {
        const answer = await ask(operation).catch((error: Error) => error.message);
        if (typeof answer === 'string') return [operation.name, answer];
        return [operation.name, `${answer.status} ${answer.headers.get('retry-after') ?? ''}`.trim()];
      }),
    );

  /** Some are refused for what they say, or need no database: whatever needs it is 503. */
  function expectUnavailable(answers: [string, string][]): void {
    expect(answers.filter(([, answer]) => answer !== '503 5' && !/^[24]\d\d$/.test(answer))).toEqual([]);
    expect(answers.filter(([, answer]) => answer === '503 5').length).toBeGreaterThan(operations.length * 0.75);
  }

  it('refuses connections answers 503 with Retry-After on every route', async () => {
    await proxy.refuse();
    expectUnavailable(await askAll());
    await proxy.pass();
  }, 60_000);

  it('hangs answers 503 with Retry-After on every route, within a stated time', async () => {
    await until(200);
    proxy.hang();
    expectUnavailable(await askAll());
    await proxy.pass();
    await until(200);
  }, 60_000);

  it('never returns from a statement answers 503, and goes on with the others', async () => {
    const blocker = await database.pool.connect();
    await blocker.query('BEGIN; LOCK TABLE secrets IN ACCESS EXCLUSIVE MODE');
    const secrets = operations.find(({ name }) => name === 'GET /v1/teams/{team}/secrets')!;
    const answer = await ask(secrets);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await fetch(`${api.url}/v1/me`, { headers: user.bearer })).status).toBe(200);
    await blocker.query('ROLLBACK');
    blocker.release();
    expect((await ask(secrets)).status).toBe(200);
  }, 60_000);

  it('has no more room answers 503 to who writes', async () => {
    await database.pool.query(`
      CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full', MESSAGE = 'could not extend file'; END $$;
      CREATE TRIGGER no_room BEFORE INSERT ON projects FOR EACH ROW EXECUTE FUNCTION no_room()`);
    const response = await fetch(`${api.url}/v1/projects`, {
      method: 'POST',
      headers: user.bearer,
      body: '{"name": "loom"}',
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await response.json()).toMatchObject({ code: 'storage_full' });
    const ready = await fetch(`${api.url}/health/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { error: { disk: { status: 'down' } } }]);
    await database.pool.query('DROP FUNCTION no_room CASCADE');
  });

  async function until(status: number): Promise<void> {
    while ((await fetch(`${api.url}/health/ready`)).status !== status) await new Promise((r) => setTimeout(r, 100));
  }
});
