import { type GivenCall, QueryClient, startQueries } from '../query/query-client.js';

type Point = Record<string, string | number | null>;

const SDK = { weave: { client_version: '0.54.0' } };
const time = (clock: string): string => `2026-01-31T${clock}Z`;
const [NOON, ONE, TWO] = ['12:00:00.000000', '13:00:00.000000', '14:00:00.000000'].map(time);
const HOURS = { start: time('12:00:00'), end: time('14:00:00'), granularity: 3600 };

const call = (id: string, started: string, seconds: number | null, more: object = {}): GivenCall => ({
  id,
  started_at: time(started),
  ...(seconds === null ? {} : { ended_at: new Date(Date.parse(time(started)) + seconds * 1000).toISOString() }),
  ...more,
});
const using = (id: string, started: string, usage: unknown, more: object = {}): GivenCall =>
  call(id, started, 1, { summary: { usage }, ...more });

describe('Statistics of calls over time', () => {
  let calls: QueryClient;
  let counter = 0;

  beforeAll(async () => {
    calls = await startQueries();
  });
  afterAll(() => calls.api.close());
  beforeEach(() => {
    calls = new QueryClient(calls.api, calls.user, `stats-${++counter}`);
  });

  const ask = async (body: object) => {
    const response = await calls.post('/calls/stats', { ...HOURS, ...body });
    const answer = (await response.json()) as { call_buckets: Point[]; usage_buckets: Point[]; detail?: object[] };
    return { status: response.status, ...answer };
  };
  const tokens = async (...more: object[]): Promise<Point[]> => {
    const { usage_buckets } = await ask(
      Object.assign({ usage_metrics: [{ metric: 'total_tokens' }] }, ...more) as object,
    );
    return usage_buckets.filter(({ count }) => count !== 0);
  };

  it('count calls and errors, and sum up latencies, by when calls started', async () => {
    await calls.given(
      call('before', '11:59:59.999999', 1),
      call('first', '12:00:00', 1),
      call('slow', '12:59:59', 3),
      call('failed', '13:00:00', 2, { exception: 'boom' }),
      call('running', '13:30:00', null),
      call('after', '14:00:00', 1),
    );
    const call_metrics = [
      { metric: 'latency_ms', aggregations: ['avg', 'min', 'max', 'count'], percentiles: [50, 99.9] },
      { metric: 'call_count' },
      { metric: 'error_count', aggregations: ['sum', 'count_true', 'count_false'] },
    ];
    const { call_buckets, ...answer } = await ask({ call_metrics });
    expect(answer).toEqual({
      status: 200,
      start: NOON,
      end: TWO,
      granularity: 3600,
      timezone: 'UTC',
      usage_buckets: [],
    });
    expect(call_buckets).toEqual([
      {
        timestamp: NOON,
        avg_latency_ms: 2000,
        min_latency_ms: 1000,
        max_latency_ms: 3000,
        count_latency_ms: 2,
        p50_latency_ms: 2000,
        'p99.9_latency_ms': 2998,
        sum_call_count: 2,
        sum_error_count: 0,
        count_true_error_count: 0,
        count_false_error_count: 2,
        count: 2,
      },
      {
        timestamp: ONE,
        avg_latency_ms: 2000,
        min_latency_ms: 2000,
        max_latency_ms: 2000,
        count_latency_ms: 1,
        p50_latency_ms: 2000,
        'p99.9_latency_ms': 2000,
        sum_call_count: 2,
        sum_error_count: 1,
        count_true_error_count: 1,
        count_false_error_count: 1,
        count: 2,
      },
    ]);
  });

  it('have a bucket for times without calls: sums are 0 there, and the least and the most are nothing', async () => {
    const call_metrics = [{ metric: 'latency_ms', aggregations: ['sum', 'min', 'max'], percentiles: [50] }];
    const nothing = { sum_latency_ms: 0, min_latency_ms: null, max_latency_ms: null, p50_latency_ms: null, count: 0 };
    const empty = [
      { timestamp: NOON, ...nothing },
      { timestamp: ONE, ...nothing },
    ];
    expect((await ask({ call_metrics })).call_buckets).toEqual(empty);
    await calls.given(call('elsewhere', '15:00:00', 1));
    expect((await ask({ call_metrics })).call_buckets).toEqual(empty);
  });

  it('sum up tokens by model, whatever the provider calls them', async () => {
    await calls.given(
      using('openai', '12:00:00', { a: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }),
      using('anthropic', '12:30:00', { b: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 4 } }),
      using('again', '13:00:00', { a: { prompt_tokens: 20 } }),
    );
    const usage_metrics = ['input_tokens', 'output_tokens', 'total_tokens', 'cache_read_input_tokens'].map(
      (metric) => ({
        metric,
      }),
    );
    const { usage_buckets } = await ask({ usage_metrics });
    const point = (timestamp: unknown, model: string, [input, output, total, cached, count]: number[]) => ({
      timestamp,
      model,
      sum_input_tokens: input,
      sum_output_tokens: output,
      sum_total_tokens: total,
      sum_cache_read_input_tokens: cached,
      count,
    });
    expect(usage_buckets).toEqual([
      point(NOON, 'a', [10, 5, 15, 0, 1]),
      point(NOON, 'b', [1, 2, 3, 4, 1]),
      point(ONE, 'a', [20, 0, 20, 0, 1]),
      point(ONE, 'b', [0, 0, 0, 0, 0]),
    ]);
  });

  it('price each call as it was priced when it started, and no model that has no price', async () => {
    const price = (cost: number, effective_date: string) => ({
      costs: { m: { prompt_token_cost: cost, completion_token_cost: 10 * cost, effective_date } },
    });
    await calls.post('/cost/create', price(1, '2026-01-01T00:00:00Z'));
    await calls.post('/cost/create', price(2, time('12:30:00')));
    await calls.given(
      using('cheap', '12:29:59.999999', { m: { prompt_tokens: 1, completion_tokens: 1 } }),
      using('dear', '12:30:00', { m: { prompt_tokens: 1, completion_tokens: 1 }, free: { prompt_tokens: 5 } }),
    );
    const metrics = ['input_cost', 'output_cost', 'total_cost'].map((metric) => ({ metric }));
    const { usage_buckets } = await ask({ usage_metrics: metrics });
    expect(usage_buckets.slice(0, 2)).toEqual([
      { timestamp: NOON, model: 'free', sum_input_cost: null, sum_output_cost: null, sum_total_cost: null, count: 1 },
      { timestamp: NOON, model: 'm', sum_input_cost: 3, sum_output_cost: 30, sum_total_cost: 33, count: 2 },
    ]);
  });

  it("do not count the SDKs' sums of children's usage beside the children", async () => {
    await calls.given(
      using('root', '12:00:00', { m: { total_tokens: 5 }, other: { total_tokens: 1 } }, { attributes: SDK }),
      using('child', '12:00:01', { m: { total_tokens: 5 } }, { parent_id: 'root', attributes: SDK }),
    );
    const other = { timestamp: NOON, model: 'other', sum_total_tokens: 1, count: 1 };
    expect(await tokens()).toEqual([{ timestamp: NOON, model: 'm', sum_total_tokens: 5, count: 1 }, other]);
    const roots = await tokens({ filter: { trace_roots_only: true } });
    expect(roots).toEqual([{ timestamp: NOON, model: 'm', sum_total_tokens: 5, count: 1 }, other]);
  });

  it("keep what a parent states beyond its children, and the children's, also with a step between", async () => {
    await calls.given(
      using('root', '12:00:00', { m: { total_tokens: 8 } }, { attributes: SDK }),
      call('step', '12:00:01', 1, { parent_id: 'root', attributes: SDK }),
      using('child', '12:00:02', { m: { total_tokens: 5 } }, { parent_id: 'step', attributes: SDK }),
    );
    expect(await tokens()).toEqual([{ timestamp: NOON, model: 'm', sum_total_tokens: 8, count: 2 }]);
  });

  it('price cached tokens at their own rate, which is the rate of inputs where a price has none', async () => {
    const prices = { prompt_token_cost: 1, completion_token_cost: 0 };
    await calls.post('/cost/create', {
      costs: { plain: prices, own: { ...prices, cache_read_input_token_cost: 0.25 } },
    });
    const usage = { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 40 } };
    await calls.given(using('call', '12:00:00', { plain: usage, own: usage }));
    const usage_metrics = [{ metric: 'total_cost' }, { metric: 'input_cost' }, { metric: 'cache_read_input_tokens' }];
    const { usage_buckets } = await ask({ usage_metrics });
    const point = (model: string, total: number) => ({
      timestamp: NOON,
      model,
      sum_total_cost: total,
      sum_input_cost: 60,
      sum_cache_read_input_tokens: 40,
      count: 1,
    });
    expect(usage_buckets.slice(0, 2)).toEqual([point('own', 70), point('plain', 100)]);
  });

  it('take for nothing what is no count of tokens, and fail on no payload', async () => {
    await calls.given(
      using('odd', '12:00:00', { m: { total_tokens: 1e300, prompt_tokens: '9', completion_tokens: -5 }, n: 'none' }),
      using('text', '12:00:00', 'none'),
      using('unsearchable', '12:00:00', { m: { total_tokens: 2 }, '\0': { total_tokens: 3 } }),
    );
    expect(await tokens()).toEqual([
      { timestamp: NOON, model: 'm', sum_total_tokens: 2, count: 2 },
      { timestamp: NOON, model: '\ufffd', sum_total_tokens: 3, count: 1 },
    ]);
  });

  it('are of the calls that a filter finds', async () => {
    await calls.given(call('a', '12:00:00', 1, { op_name: 'a' }), call('b', '12:00:00', 1, { op_name: 'b' }));
    const { call_buckets } = await ask({ filter: { op_names: ['a'] }, call_metrics: [{ metric: 'call_count' }] });
    expect(call_buckets.map(({ sum_call_count }) => sum_call_count)).toEqual([1, 0]);
  });

  it.each([
    ['a metric that there is not', { call_metrics: [{ metric: 'mood' }] }],
    ['an aggregation that there is not', { call_metrics: [{ metric: 'latency_ms', aggregations: ['mode'] }] }],
    ['a percentile over 100', { usage_metrics: [{ metric: 'total_tokens', percentiles: [101] }] }],
    ['a time that is none', { start: 'yesterday' }],
    ['a time zone that there is not', { timezone: 'Mars/Base' }],
  ])('refuse %s', async (_what, body) => {
    expect((await ask(body)).status).toBe(422);
  });

  it('refuse more points than a screen has, and tell how to have fewer', async () => {
    const models = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`m${i}`, { total_tokens: 1 }]));
    await calls.given(using('many models', '12:00:00', models));
    const much = { start: '2026-01-01T00:00:00Z', granularity: 1, usage_metrics: [{ metric: 'total_tokens' }] };
    expect(await ask(much)).toMatchObject({ status: 422, detail: [{ type: 'too_many_points' }] });
  });
});
