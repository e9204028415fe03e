import { type GivenCall, QueryClient, startQueries } from '../query/query-client.js';

type Usage = Record<string, Record<string, Record<string, number | null>>>;

const ended_at = '2026-02-01T00:00:00Z';
const SDK = { weave: { client_version: '0.54.0' } };

/** A call that used a model, in the words of one of the providers. */
const using = (id: string, parent_id: string | null, usage: object, more: object = {}): GivenCall => ({
  id,
  parent_id,
  trace_id: 'trace',
  ended_at,
  summary: { usage },
  ...more,
});

describe('The usage of calls', () => {
  let calls: QueryClient;
  let counter = 0;

  beforeAll(async () => {
    calls = await startQueries();
  });
  afterAll(() => calls.api.close());
  beforeEach(() => {
    calls = new QueryClient(calls.api, calls.user, `usage-${++counter}`);
  });

  const ask = async (path: string, body: object) => {
    const response = await calls.post(path, body);
    const answer = (await response.json()) as { call_usage: Usage; unfinished_call_ids: string[]; detail?: object[] };
    return { status: response.status, ...answer };
  };
  const ofCalls = (call_ids: string[], more: object = {}) => ask('/calls/usage', { call_ids, ...more });
  const ofTrace = (more: object = {}) => ask('/trace/usage', { filter: { trace_ids: ['trace'] }, ...more });
  const totals = (usage: Usage) =>
    Object.fromEntries(
      Object.entries(usage).map(([id, models]) => [
        id,
        Object.fromEntries(Object.entries(models).map(([model, { total_tokens }]) => [model, total_tokens])),
      ]),
    );

  it('has the tokens of a call and its descendants under one name each', async () => {
    await calls.given(
      using('root', null, { m: { requests: 1, prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }),
      using('child', 'root', { m: { input_tokens: 2, output_tokens: 3, cache_read_input_tokens: 7 } }),
      using('unrelated', null, { m: { total_tokens: 100 } }),
    );
    expect(await ofCalls(['root', 'missing'])).toEqual({
      status: 200,
      call_usage: {
        root: {
          m: {
            requests: 1,
            prompt_tokens: 12,
            completion_tokens: 8,
            total_tokens: 20,
            cache_read_input_tokens: 7,
            cache_creation_input_tokens: 0,
            prompt_tokens_total_cost: null,
            completion_tokens_total_cost: null,
            cache_read_input_tokens_total_cost: null,
            cache_creation_input_tokens_total_cost: null,
          },
        },
        missing: {},
      },
      unfinished_call_ids: [],
    });
  });

  it('has each call of a trace, and does not count twice what the SDKs summed up', async () => {
    await calls.given(
      using('root', null, { m: { total_tokens: 6 } }, { attributes: SDK }),
      using('a', 'root', { m: { total_tokens: 2 } }, { attributes: SDK }),
      using('b', 'root', { m: { total_tokens: 4 } }, { attributes: SDK }),
    );
    const { call_usage } = await ofTrace();
    expect(totals(call_usage)).toEqual({ root: { m: 6 }, a: { m: 2 }, b: { m: 4 } });
  });

  it('names the calls that still run', async () => {
    await calls.given({ id: 'root', trace_id: 'trace' }, using('child', 'root', { m: { total_tokens: 2 } }));
    expect(await ofCalls(['root'])).toMatchObject({ unfinished_call_ids: ['root'] });
    expect(totals((await ofTrace()).call_usage)).toEqual({ root: { m: 2 }, child: { m: 2 } });
  });

  it('has costs on demand: null, never 0, for a model without a price', async () => {
    await calls.post('/cost/create', { costs: { m: { prompt_token_cost: 0.5, completion_token_cost: 2 } } });
    await calls.given(
      using('root', null, { free: { prompt_tokens: 1 } }),
      using('child', 'root', { m: { prompt_tokens: 10, completion_tokens: 3 } }),
    );
    const costs = { prompt_tokens_total_cost: 5, completion_tokens_total_cost: 6 };
    for (const { call_usage } of [
      await ofCalls(['root'], { include_costs: true }),
      await ofTrace({ include_costs: true }),
    ]) {
      expect(call_usage['root']).toMatchObject({ m: costs, free: { prompt_tokens_total_cost: null } });
    }
  });

  it('takes for nothing what is no count of tokens, and leaves no call out for it', async () => {
    const poison = { total_tokens: -1, prompt_tokens: 1e300, completion_tokens: '12', requests: { a: 1 } };
    await calls.given(
      using('odd', null, { m: poison, text: 'none', list: [1], '\0\ud800': { total_tokens: 3 } }),
      using('text', null, 'none' as unknown as object),
      { id: 'no object', trace_id: 'trace', ended_at, summary: [1] },
      using('good', 'odd', { m: { total_tokens: 1 } }),
    );
    const { call_usage, status } = await ofTrace({ include_costs: true });
    expect(status).toBe(200);
    expect(totals(call_usage)).toEqual({
      odd: { m: 1, '\0\ud800': 3 },
      text: {},
      'no object': {},
      good: { m: 1 },
    });
  });

  it('is refused where a limit would leave descendants out; a trace is cut off', async () => {
    await calls.given(using('root', null, {}), using('a', 'root', {}), using('b', 'root', {}));
    expect((await ofCalls(['root'], { limit: 3 })).status).toBe(200);
    const refusal = await ofCalls(['root'], { limit: 2 });
    expect(refusal).toMatchObject({ status: 422, detail: [{ loc: ['body', 'limit'], type: 'too_many_calls' }] });
    expect(Object.keys((await ofTrace({ limit: 2 })).call_usage)).toEqual(['root', 'a']);
  });

  it('finds the calls of a trace by a query, too', async () => {
    await calls.given(using('root', null, { m: { total_tokens: 1 } }), using('a', 'root', { m: { total_tokens: 2 } }));
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'a' }] } };
    expect(totals((await ofTrace({ query })).call_usage)).toEqual({ a: { m: 2 } });
    expect((await ofTrace({ query: { $expr: { $no: [] } } })).status).toBe(422);
  });

  it('is empty for a project that is not there yet', async () => {
    expect(await ofCalls(['a'])).toMatchObject({ status: 200, call_usage: { a: {} } });
    expect(await ofTrace()).toMatchObject({ status: 200, call_usage: {} });
  });
});
