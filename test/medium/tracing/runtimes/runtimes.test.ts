import { startApi, type TestApi } from '../../../support/api.js';
import { TraceClient } from '../objects/trace-client.js';

const URL = 'https://models.example/v1';

describe('Runtimes', () => {
  let api: TestApi;
  let client: TraceClient;
  let project: string;
  let counter = 0;

  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    const user = await api.given.member();
    client = new TraceClient(api.url, user, user.entity, `runtimes-${++counter}`);
    project = client.projectId;
    await client.publish('something', '1');
  });

  const apply = (name: string, body: object) =>
    client.post(
      `/v2/${project}/runtimes/${encodeURIComponent(name)}`,
      { base_url: URL, runtime_ids: [], ...body },
      'PUT',
    );
  const models = async (): Promise<string[]> => {
    const filter = { base_object_classes: ['ProviderModel'], latest_only: true };
    const answer = await client.post('/objs/query', { filter });
    return answer.json<{ objs: { object_id: string }[] }>().objs.map((one) => one.object_id);
  };

  it('are a provider and its models, as the playground reads them', async () => {
    const body = { api_key_secret: 'KEY', headers: { 'x-team': 'a' }, runtime_ids: [{ id: 'org/small' }] };
    const answer = await apply('mine', body);
    expect(answer.json()).toEqual({
      name: 'mine',
      base_url: URL,
      api_key_secret: 'KEY',
      headers: { 'x-team': 'a' },
      runtime_ids: [{ id: 'org/small', max_tokens: 4096, playground_id: 'custom::mine::org/small' }],
    });
    const provider = await client.read('mine', 'latest');
    expect(provider).toMatchObject({
      base_object_class: 'Provider',
      val: { base_url: URL, api_key_name: 'KEY', extra_headers: { 'x-team': 'a' }, name: 'mine' },
    });
    expect((await client.read('mine-org_small', 'latest')).val).toMatchObject({
      name: 'org/small',
      provider: provider.digest,
      max_tokens: 4096,
    });
  });

  it('have the models that were given last, and no others', async () => {
    await apply('mine', { runtime_ids: [{ id: 'a' }, { id: 'b', max_tokens: 7 }] });
    await apply('other', { runtime_ids: [{ id: 'a' }] });
    expect(await models()).toEqual(['mine-a', 'mine-b', 'other-a']);
    await apply('mine', { runtime_ids: [{ id: 'b' }, { id: 'c' }], base_url: `${URL}/2` });
    expect(await models()).toEqual(['mine-b', 'mine-c', 'other-a']);
    await apply('mine', {});
    expect(await models()).toEqual(['other-a']);
  });

  it('take no name that another object has', async () => {
    await client.publish('mine', '{"a": 1}');
    expect((await apply('mine', {})).status).toBe(409);
    await client.publish('yours-a', '{"a": 1}');
    expect((await apply('yours', { runtime_ids: [{ id: 'a' }] })).status).toBe(409);
    await apply('a b'.replace(' ', '/'), {});
    expect((await apply('a.b', {})).status).toBe(409);
  });

  it.each([
    ['models of one name', { runtime_ids: [{ id: 'a/b' }, { id: 'a.b' }] }],
    ['a model with spaces', { runtime_ids: [{ id: 'a b' }] }],
    ['no room for tokens', { runtime_ids: [{ id: 'a', max_tokens: 0 }] }],
    ['too long a name', { runtime_ids: [{ id: 'x'.repeat(125) }] }],
    ['an address with a query', { base_url: `${URL}?a` }],
    ['an address of something else', { base_url: 'ftp://models.example' }],
    ['a header for credentials of clouds', { headers: { 'Metadata-Flavor': 'Google' } }],
  ])('are refused with %s, and nothing is kept', async (_what, body) => {
    expect((await apply('mine', body)).status).toBe(422);
    expect((await client.post('/obj/read', { object_id: 'mine', digest: 'latest' })).status).toBe(404);
  });

  it('have names without :: and spaces', async () => {
    for (const name of ['a::b', 'a b', 'x'.repeat(129)]) expect((await apply(name, {})).status).toBe(422);
  });
});
