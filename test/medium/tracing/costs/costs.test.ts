import { startApi, type TestApi } from '../../../support/api.js';
import { TraceClient } from '../objects/trace-client.js';

interface Price {
  id: string;
  llm_id: string;
  [field: string]: unknown;
}

const field = (name: string) => ({ $getField: name });
const literal = (value: unknown) => ({ $literal: value });
const where = ($expr: object) => ({ query: { $expr } });
const everything = where({ $eq: [literal('1'), literal('1')] });

describe('costs', () => {
  let api: TestApi;
  let client: TraceClient;
  let stranger: TraceClient;

  beforeAll(async () => {
    api = await startApi();
    const [member, other] = [await api.given.member(), await api.given.member()];
    client = new TraceClient(api.url, member, member.entity);
    stranger = new TraceClient(api.url, other, member.entity);
  });
  afterAll(() => api.close());

  const price = async (model: string, prompt: number, more: object = {}): Promise<string> => {
    const costs = { [model]: { prompt_token_cost: prompt, completion_token_cost: prompt * 2, ...more } };
    const answer = await client.post('/cost/create', { costs });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json<{ ids: [string, string][] }>().ids[0]![0];
  };
  const query = async (body: object): Promise<Price[]> =>
    (await client.post('/cost/query', body)).json<{ results: Price[] }>().results;

  it('answers with pairs of id and model, in the order of the request', async () => {
    const one = { prompt_token_cost: 1, completion_token_cost: 2 };
    const answer = await client.post('/cost/create', { costs: { 'pair-b': one, 'pair-a': one } });
    const { ids } = answer.json<{ ids: [string, string][] }>();
    expect(ids.map(([, model]) => model)).toEqual(['pair-b', 'pair-a']);
    const found = await query(where({ $in: [field('id'), ids.map(([id]) => literal(id))] }));
    expect(found.map(({ llm_id }) => llm_id).sort()).toEqual(['pair-a', 'pair-b']);
  });

  it('keeps what was set, to the microsecond', async () => {
    const id = await price('kept', 0.000_001_23, {
      effective_date: '2026-01-31T12:00:00.123456+02:00',
      provider_id: 'ours',
      prompt_token_cost_unit: 'EUR',
    });
    expect(await query(where({ $eq: [field('llm_id'), literal('kept')] }))).toEqual([
      {
        id,
        llm_id: 'kept',
        provider_id: 'ours',
        prompt_token_cost: 0.000_001_23,
        completion_token_cost: 0.000_002_46,
        cache_read_input_token_cost: 0.000_001_23,
        cache_creation_input_token_cost: 0.000_001_23,
        prompt_token_cost_unit: 'EUR',
        completion_token_cost_unit: 'USD',
        effective_date: '2026-01-31T10:00:00.123456Z',
      },
    ]);
  });

  it('finds, sorts, pages, and shows the fields that were asked for', async () => {
    for (const [model, cost] of [
      ['q1', 3],
      ['q2', 1],
      ['q3', 2],
    ] as const)
      await price(model, cost);
    const mine = where({ $contains: { input: field('llm_id'), substr: literal('q') } });
    const sort_by = [{ field: 'prompt_token_cost', direction: 'desc' }];
    expect(await query({ ...mine, sort_by, limit: 2, fields: ['llm_id'] })).toEqual([
      { llm_id: 'q1' },
      { llm_id: 'q3' },
    ]);
    expect((await client.post('/cost/query', where({ $eq: [field('nothing'), literal(1)] }))).status).toBe(422);
  });

  it('purges by id, and by nothing that means more', async () => {
    const id = await price('purged', 1);
    for (const more of [{}, where({ $and: [] }), everything, where({ $eq: [field('llm_id'), literal('purged')] })])
      expect([more, (await client.post('/cost/purge', more)).status]).toEqual([more, 422]);
    await client.post('/cost/purge', where({ $in: [field('id'), [literal(id)]] }));
    expect(await query(where({ $eq: [field('id'), literal(id)] }))).toEqual([]);
    expect((await query(everything)).length).toBeGreaterThan(0);
  });

  it.each([
    ['no completion cost', { m: { prompt_token_cost: 1 } }],
    ['a cost that is no number', { m: { prompt_token_cost: '1', completion_token_cost: 1 } }],
    ['a date that is none', { m: { prompt_token_cost: 1, completion_token_cost: 1, effective_date: 'soon' } }],
    ['no object', []],
  ])('refuses prices with %s', async (_name, costs) => {
    expect((await client.post('/cost/create', { costs })).status).toBe(422);
  });

  it('prices calls by what the project set, from then on', async () => {
    await price('our-model', 0.01, { effective_date: '2020-01-01T00:00:00Z' });
    const usage = { input_tokens: 100, output_tokens: 10, requests: 1 };
    await client.call(
      { id: 'priced', summary: { usage: { 'our-model': usage, 'unknown-model': usage } } },
      { id: 'unpriced', summary: { usage: { 'unknown-model': usage } } },
    );
    const costs = async (): Promise<unknown[]> =>
      (await client.weaveOf(['priced', 'unpriced'], { include_costs: true })).map((weave) => weave['costs']);
    const priced = await costs();
    expect(Object.keys(priced[0] as object)).toEqual(['our-model']);
    expect(priced).toMatchObject([
      {
        'our-model': {
          prompt_tokens: 100,
          completion_tokens: 10,
          requests: 1,
          total_tokens: 110,
          prompt_tokens_total_cost: 1,
          completion_tokens_total_cost: 0.2,
          pricing_level: 'project',
          pricing_level_id: client.projectId,
        },
      },
      undefined,
    ]);
    await price('our-model', 0.02, { effective_date: '2021-01-01T00:00:00Z' });
    expect(await costs()).toMatchObject([{ 'our-model': { prompt_tokens_total_cost: 2 } }, undefined]);
  });

  it('shows another team nothing, and takes nothing from it', async () => {
    const id = await price('ours', 1);
    const costs = { ours: { prompt_token_cost: 9, completion_token_cost: 9 } };
    for (const [path, body] of [
      ['create', { costs }],
      ['query', everything],
      ['purge', where({ $eq: [field('id'), literal(id)] })],
    ] as const) {
      expect([path, (await stranger.post(`/cost/${path}`, body)).status]).toEqual([path, 404]);
    }
    expect(await query(where({ $eq: [field('llm_id'), literal('ours')] }))).toMatchObject([{ prompt_token_cost: 1 }]);
  });
});
