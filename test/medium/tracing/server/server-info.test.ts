import { startApi, type TestApi } from '../../../support/api.js';

describe('The tracing server', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());

  it.each(['', '/traces'])('tells SDKs under "%s" that it is there, without a key', async (prefix) => {
    const health = await fetch(`${api.url}${prefix}/health`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    const info = (await (await fetch(`${api.url}${prefix}/server_info`)).json()) as Record<string, string>;
    expect(info['min_required_weave_python_version']).toBe('0.0.1');
    expect(info['trace_server_version']).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
