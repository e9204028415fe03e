import { randomBytes } from 'node:crypto';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';
import { describedBodies } from './described-bodies.js';
import { mutate, randomOf } from './mutations.js';

/** Bodies of each operation. */
const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? (process.env['CI_FULL'] ? 150 : 12));
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
/** The examples' model. */
const MODEL_ID = '5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11';

const operations = describedBodies().map((operation, index) => ({ ...operation, index }));

describe(`bodies that are wrong in any way (FUZZ_SEED=${SEED})`, () => {
  let api: TestApi;
  let user: GivenUser;
  beforeAll(async () => {
    api = await startApi({ SECRETS_KEY: randomBytes(32).toString('base64'), ENGINE_THREADS: '1' });
    const [team, tracing] = [await api.given.team('weavers'), await api.given.team('acme')];
    user = await api.given.user({
      username: 'ada',
      isAdmin: true,
      teams: [
        { id: team.id, role: 'admin' },
        { id: tracing.id, role: 'admin' },
      ],
    });
    // What the examples speak of, so that bodies get beyond the checks of their form.
    await make('/v1/projects', { name: 'loom' });
    await make('/v1/projects', { entity: 'acme', name: 'support' });
    await make('/v1/projects/weavers/loom/artifacts', { name: 'chat-model', type: 'model' });
    await make('/v1/projects/weavers/loom/artifacts/chat-model/versions', { aliases: ['production'] });
    await make('/v1/registries', { name: 'releases' });
    await make('/v1/registries/weavers/releases/collections', { name: 'chat-models', type: 'model' });
    await make('/v1/preview/models', { project: 'loom', name: 'agent', base_model: 'heddle/shuttle-1m' });
    await api.database.pool.query('UPDATE models SET id = $1', [MODEL_ID]);
  }, 60_000);
  afterAll(() => api.close());

  async function send(method: string, path: string, body: Buffer | string): Promise<{ status: number; text: string }> {
    const headers = { ...user.bearer, 'content-type': 'application/json' };
    const response = await fetch(api.url + path, { method, headers, body, signal: AbortSignal.timeout(30_000) });
    return { status: response.status, text: await response.text() };
  }

  async function make(path: string, body: object): Promise<void> {
    const { status, text } = await send('POST', path, JSON.stringify(body));
    if (status >= 300) throw new Error(text);
  }

  it.each(operations)(
    'are no fault of the server: $name',
    async ({ method, path, body, index }) => {
      const random = randomOf(SEED * 1000 + index);
      const faults: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const bytes = mutate(random, body);
        const outcome = await send(method, path, bytes).catch((error: Error) => ({ status: 999, text: error.message }));
        if (outcome.status < 500) continue;
        faults.push(`${outcome.status} ${outcome.text.slice(0, 200)} <- ${bytes.toString().slice(0, 500)}`);
      }
      expect(faults).toEqual([]);
    },
    120_000,
  );

  it('leave the server alive, and its caller known', async () => {
    expect((await fetch(`${api.url}/health/ready`)).status).toBe(200);
    expect((await fetch(`${api.url}/v1/me`, { headers: user.bearer })).status).toBe(200);
  });
});
