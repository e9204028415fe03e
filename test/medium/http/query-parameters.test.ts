import { randomBytes } from 'node:crypto';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';
import { type DescribedOperation, describedOperations } from './described-operations.js';

const isForSdks = ({ template }: DescribedOperation): boolean =>
  !template.startsWith('/v1/') || /^\/v1\/(preview|chat|completions|embeddings|models|responses)(\/|$)/.test(template);
const isProbe = ({ template }: DescribedOperation): boolean => /^\/v1\/(health|system-check)$/.test(template);

describe('query parameters', () => {
  let api: TestApi;
  let user: GivenUser;
  beforeAll(async () => {
    api = await startApi({ SECRETS_KEY: randomBytes(32).toString('base64') });
    user = await api.given.user({ isAdmin: true });
  }, 60_000);
  afterAll(() => api.close());

  const operations = describedOperations();
  const managed = operations.filter((each) => !isForSdks(each) && !isProbe(each));

  async function ask({ method, path }: DescribedOperation, query: string): Promise<{ status: number; text: string }> {
    const signal = AbortSignal.timeout(20_000);
    const url = `${api.url}${path}${path.includes('?') ? '&' : '?'}${query}`;
    const response = await fetch(url, { method, headers: user.bearer, signal });
    return { status: response.status, text: await response.text() };
  }

  it.each(managed)('that $name does not know are refused', async (operation) => {
    const { status, text } = await ask(operation, 'sureley_unknown=1');
    expect([status, text]).toEqual([422, expect.stringContaining('There is no query parameter sureley_unknown')]);
  });

  it.each(managed.filter(({ parameters }) => parameters.some((each) => each.in === 'query')))(
    'that $name describes are known',
    async (operation) => {
      for (const { name } of operation.parameters.filter((each) => each.in === 'query')) {
        expect((await ask(operation, `${name}=1`)).text).not.toContain('There is no query parameter');
      }
    },
  );

  it('come with the name that was probably meant', async () => {
    const response = await fetch(`${api.url}/v1/users?limt=5`, { headers: user.bearer });
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { detail: [{ loc: ['query', 'limt'], type: 'unknown_field', ctx: { did_you_mean: 'limit' } }] },
    ]);
  });

  it('are ignored where SDKs and probes ask', async () => {
    for (const path of ['/v1/health', '/v1/models', '/health/live', '/v1/preview/base-models']) {
      expect((await fetch(`${api.url}${path}?unknown=1`, { headers: user.bearer })).status).toBe(200);
    }
  });
});
