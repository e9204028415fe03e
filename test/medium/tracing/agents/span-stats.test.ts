import { SpanSender } from '../otel/span-sender.js';
import { eq, startQueries } from '../query/query-client.js';
import { id, trace, turn } from './agent-turns.js';

interface Stats {
  columns: { name: string; role: string; value_type: string }[];
  rows: Record<string, unknown>[];
  [field: string]: unknown;
}

const MINUTE = { start: '2026-01-31T12:00:00Z', end: '2026-01-31T12:01:00Z', granularity: 20 };
const derived = (key: string) => ({ source: 'derived', key });
const metric = (alias: string, value_type: string, value: object, ...aggregations: string[]) => ({
  ...{ alias, value_type, value, aggregations },
});
const TOKENS = metric('tokens', 'number', { key: 'usage.input_tokens' });
const SPANS = metric('spans', 'string', { key: 'span_id' });

describe('Charts of what agents did', () => {
  let queries: Awaited<ReturnType<typeof startQueries>>;
  let sender: SpanSender;
  let counter = 0;

  beforeAll(async () => {
    queries = await startQueries();
  });
  afterAll(() => queries.api.close());
  beforeEach(() => {
    sender = new SpanSender(queries.api, queries.user, `stats-${++counter}`);
  });

  const stats = async (body: object): Promise<Stats> => {
    const response = await sender.post('/agents/spans/stats', { ...MINUTE, ...body });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as Stats;
  };
  const series = async (name: string, body: object): Promise<unknown[]> =>
    (await stats(body)).rows.map((row) => row[name]);
  const refusal = async (body: object): Promise<unknown> => {
    const response = await sender.post('/agents/spans/stats', { ...MINUTE, metrics: [SPANS], ...body });
    const { detail } = (await response.json()) as { detail?: { loc: string[] }[] };
    return detail ? `${response.status} ${detail[0]!.loc.join('.')}` : response.status;
  };

  describe('over time', () => {
    it('have a row for each bucket, with or without spans', async () => {
      await sender.send(...turn(1), ...turn(2));
      const duration = { ...metric('ms', 'number', derived('duration_ms'), 'avg', 'count'), percentiles: [50, 99.5] };
      expect(await stats({ metrics: [SPANS, duration], timezone: 'Europe/Berlin' })).toEqual({
        start: '2026-01-31T12:00:00.000000Z',
        end: '2026-01-31T12:01:00.000000Z',
        granularity: 20,
        timezone: 'Europe/Berlin',
        bucket_type: 'time',
        columns: [
          { name: 'timestamp', role: 'time', value_type: 'datetime', metric: null, aggregation: null },
          { name: 'count_spans', role: 'metric', value_type: 'number', metric: 'spans', aggregation: 'count' },
          { name: 'avg_ms', role: 'metric', value_type: 'number', metric: 'ms', aggregation: 'avg' },
          { name: 'count_ms', role: 'metric', value_type: 'number', metric: 'ms', aggregation: 'count' },
          { name: 'p50_ms', role: 'metric', value_type: 'number', metric: 'ms', aggregation: 'p50' },
          { name: 'p99_5_ms', role: 'metric', value_type: 'number', metric: 'ms', aggregation: 'p99_5' },
        ],
        rows: [
          ...['2026-01-31T12:00:00.000000Z', '2026-01-31T12:00:20.000000Z'].map((timestamp) => ({
            ...{ timestamp, count_spans: 4, avg_ms: 1000, count_ms: 4, p50_ms: 1000, p99_5_ms: 1000 },
          })),
          {
            ...{ timestamp: '2026-01-31T12:00:40.000000Z', count_spans: 0, avg_ms: null, count_ms: 0 },
            ...{ p50_ms: null, p99_5_ms: null },
          },
        ],
      });
    });

    it('have every token once, and its price', async () => {
      await sender.send(...turn(1), ...turn(2));
      const price = { prompt_token_cost: 1, completion_token_cost: 2, effective_date: '2026-01-01T00:00:00Z' };
      await sender.post('/cost/create', { costs: { m: price } });
      const total = metric('total', 'number', derived('total_tokens'), 'sum', 'max');
      const cost = metric('cost', 'number', derived('total_cost_usd'), 'sum', 'count');
      const { rows } = await stats({ metrics: [TOKENS, total, cost] });
      const sums = { sum_tokens: 30, sum_total: 33, max_total: 33, sum_cost: 36, count_cost: 2 };
      expect(rows).toMatchObject([sums, sums, { sum_tokens: 0, max_total: null, sum_cost: 0, count_cost: 0 }]);
    });

    it('count what is true, and tell when', async () => {
      const failed = { status: { code: 2, message: 'no' } };
      await sender.send(...turn(1), { id: id(9), at: 15_000, wire: { traceId: trace(9), ...failed } });
      const errors = metric('errors', 'boolean', derived('is_error'), 'count_true', 'count_false');
      const invocations = metric('invocations', 'boolean', derived('is_invocation'), 'count_true');
      const times = metric('time', 'datetime', { key: 'started_at' }, 'min', 'max');
      const models = metric('models', 'string', { key: 'request_model' }, 'count_distinct');
      const { rows } = await stats({ metrics: [errors, invocations, times, models], query: undefined });
      expect(rows[0]).toEqual({
        timestamp: '2026-01-31T12:00:00.000000Z',
        count_true_errors: 1,
        count_false_errors: 4,
        count_true_invocations: 1,
        min_time: '2026-01-31T12:00:10.000000Z',
        max_time: '2026-01-31T12:00:15.000000Z',
        count_distinct_models: 1,
      });
    });

    it('are of the spans that a query finds', async () => {
      await sender.send(...turn(1), ...turn(2));
      const of = (condition: object) => series('count_spans', { metrics: [SPANS], query: { $expr: condition } });
      expect(await of(eq('tool_name', 'weather'))).toEqual([1, 1, 0]);
      // Model calls and tools don't say whose they are; what they are part of does.
      expect(await of(eq('agent.version', 'v2'))).toEqual([0, 4, 0]);
      expect(await of(eq('conversation_id', 'chat-1'))).toEqual([4, 4, 0]);
    });

    it('are empty for a project that nobody has written to', async () => {
      expect(await series('count_spans', { metrics: [SPANS] })).toEqual([0, 0, 0]);
    });
  });

  describe('of groups', () => {
    it('have a row for each of those with the most spans', async () => {
      await sender.send(...turn(1), ...turn(2), ...turn(3, { agent: 'other' }).slice(0, 2));
      const group_by = [{ key: 'agent.name', alias: 'agent' }];
      const { columns, rows } = await stats({ metrics: [TOKENS], group_by });
      expect(columns.slice(0, 2)).toMatchObject([
        { role: 'time' },
        { name: 'agent', role: 'group', value_type: 'string' },
      ]);
      expect(rows.map(({ agent, sum_tokens }) => [agent, sum_tokens])).toEqual([
        ...[
          ['helper', 30],
          ['other', 0],
        ],
        ...[
          ['helper', 30],
          ['other', 10],
        ],
        ...[
          ['helper', 0],
          ['other', 0],
        ],
      ]);
      expect(await series('agent', { metrics: [TOKENS], group_by, group_limit: 1 })).toEqual(Array(3).fill('helper'));
    });

    it('may be made by attributes of their own, and of what has none', async () => {
      await sender.send(...turn(1));
      const group_by = [{ source: 'custom_attrs_int', key: 'team.size', alias: 'size' }];
      const { rows } = await stats({ metrics: [SPANS], group_by, granularity: 60 });
      expect(rows).toMatchObject([
        { size: 3, count_spans: 1 },
        { size: null, count_spans: 3 },
      ]);
      const ratio = metric('ratio', 'number', { source: 'custom_attrs_float', key: 'ratio' }, 'avg', 'count');
      const name = metric('name', 'string', { source: 'custom_attrs_string', key: 'team.name' }, 'count_distinct');
      const sums = await stats({ metrics: [ratio, name], granularity: 60 });
      expect(sums.rows).toMatchObject([{ avg_ratio: 0.5, count_ratio: 1, count_distinct_name: 1 }]);
    });

    it('take a dot in the name of an attribute for one of a level', async () => {
      const attributes = { gen_ai: {}, 'shop.cart': { items: 2, 'is.full': true }, list: [1, { a: 2 }], big: 1e300 };
      await sender.given({ id: 'call', started_at: '2026-01-31T12:00:05Z', attributes });
      const of = async (source: string, key: string) =>
        (await series('k', { metrics: [SPANS], granularity: 60, group_by: [{ source, key, alias: 'k' }] }))[0];
      expect(await of('custom_attrs_int', 'shop.cart.items')).toBe(2);
      expect(await of('custom_attrs_bool', 'shop.cart.is.full')).toBe(true);
      expect(await of('custom_attrs_string', 'list')).toBe('[1,{"a":2}]');
      expect(await of('custom_attrs_float', 'shop.cart.items')).toBeNull();
      expect(await of('custom_attrs_string', 'shop.cart')).toBeNull();
      // Too large to be summed up.
      expect(await of('custom_attrs_int', 'big')).toBeNull();
    });

    it('have fewer groups where the rows would be too many', async () => {
      await sender.send(...turn(1), ...turn(2));
      const { rows } = await stats({
        metrics: [SPANS],
        group_by: [{ key: 'trace_id' }],
        end: '2026-01-31T13:40:00Z',
        granularity: 1,
      });
      expect(rows).toHaveLength(6000);
    });

    it('are chosen by a measure of theirs', async () => {
      await sender.send(...turn(1), ...turn(2).slice(0, 2));
      const measure = (aggregation: string, more: object = {}) => ({ alias: 'a', aggregation, ...more });
      const by = (filter: object, key = 'trace_id') =>
        series('count_spans', { metrics: [SPANS], group_filters: [{ group_by: [{ key }], ...filter }] });
      expect(await by({ measure: measure('count'), min: 3 })).toEqual([4, 0, 0]);
      expect(await by({ measure: measure('count'), max: 3 })).toEqual([0, 2, 0]);
      const tools = { filter: { $expr: eq('operation_name', 'execute_tool') } };
      expect(await by({ measure: measure('count', tools), min: 1 })).toEqual([4, 0, 0]);
      const latest = measure('max', { value: { key: 'started_at' } });
      expect(await by({ measure: latest, min: '2026-01-31T12:00:20Z' })).toEqual([0, 2, 0]);
      // One conversation.
      expect(await by({ group_by: [], measure: measure('count'), min: 6 })).toEqual([4, 2, 0]);
    });
  });

  describe('by ranges of a number', () => {
    const ranges = async (bucket_by: object, body: object = {}) => {
      const { rows } = await stats({ bucket_by: { type: 'number', ...bucket_by }, ...body });
      return rows.map((row) => [row['bucket_min'], row['bucket_max'], row['count']]);
    };
    const output = { key: 'output_tokens' };

    it('have spans between the least and the greatest value', async () => {
      await sender.send(...turn(1));
      const found = await stats({ bucket_by: { type: 'number', value: output, bins: 3 }, metrics: [TOKENS] });
      expect(found).toMatchObject({ bucket_type: 'number', granularity: null });
      expect(found.columns.map(({ name, role }) => `${role} ${name}`)).toEqual([
        ...['bucket bucket_index', 'bucket bucket_min', 'bucket bucket_max', 'metric sum_tokens'],
      ]);
      expect(found.rows).toEqual([
        { bucket_index: 0, bucket_min: 0, bucket_max: 1, sum_tokens: 0 },
        { bucket_index: 1, bucket_min: 1, bucket_max: 2, sum_tokens: 10 },
        // What the agent says of all its calls is theirs.
        { bucket_index: 2, bucket_min: 2, bucket_max: 3, sum_tokens: 20 },
      ]);
    });

    it('have bounds of their own, one range for one value, and none without', async () => {
      await sender.send(...turn(1));
      expect(await ranges({ value: output, bins: 2, min: 1, max: 5 })).toEqual([
        [1, 3, 2],
        [3, 5, 1],
      ]);
      expect(await ranges({ value: output, min: 9 })).toEqual([[9, 9, 0]]);
      expect(await ranges({ value: { key: 'reasoning_tokens' } })).toEqual([[0, 0, 4]]);
      expect(await ranges({ value: output }, { query: { $expr: eq('tool_name', 'none') } })).toEqual([]);
    });

    it('have groups by a measure of theirs', async () => {
      await sender.send(...turn(1), ...turn(2).slice(0, 2), ...turn(3));
      const group_by = [{ key: 'trace_id' }];
      const measure = { alias: 'n', aggregation: 'count' };
      expect(await ranges({ group_by, measure, bins: 2 })).toEqual([
        [2, 3, 1],
        [3, 4, 2],
      ]);
      const group_filters = [{ measure: { ...measure, aggregation: 'sum', value: output }, max: 1 }];
      expect(await ranges({ group_by, measure, bins: 2 }, { group_filters })).toEqual([[2, 2, 1]]);
    });
  });

  describe('refuse', () => {
    it('what spans do not have, at its place', async () => {
      expect(await refusal({ metrics: [metric('a', 'string', { key: 'secret' })] })).toBe(
        '422 body.metrics.0.value.key',
      );
      expect(await refusal({ metrics: [metric('a', 'number', derived('secret'))] })).toBe(
        '422 body.metrics.0.value.key',
      );
      expect(await refusal({ group_by: [{ key: 'secret' }] })).toBe('422 body.group_by.0.key');
      expect(await refusal({ query: { $expr: eq('secret', 1) } })).toBe('422 body.query.$expr.$eq.0.$getField');
    });

    it('what cannot be worked out', async () => {
      const text = { key: 'agent_name' };
      expect(await refusal({ metrics: [metric('a', 'number', text)] })).toBe('422 body.metrics.0.value_type');
      expect(await refusal({ metrics: [metric('a', 'string', text, 'sum')] })).toBe(
        '422 body.metrics.0.aggregations.0',
      );
      expect(await refusal({ metrics: [{ ...metric('a', 'string', text), percentiles: [5] }] })).toBe(
        '422 body.metrics.0.percentiles',
      );
      expect(await refusal({ metrics: [SPANS, SPANS] })).toBe('422 body.metrics');
      expect(await refusal({ metrics: [] })).toBe('422 body.metrics');
      const group_filters = [{ measure: { alias: 'a', aggregation: 'count' }, min: '2026-01-31' }];
      expect(await refusal({ group_filters })).toBe('422 body.group_filters.0.min');
    });

    it('times that are none, the wrong way round, or too long for groups', async () => {
      expect(await refusal({ start: 'yesterday' })).toBe('422 body.start');
      expect(await refusal({ end: '2026-01-31T11:00:00Z' })).toBe('422 body.end');
      const year = { start: '2025-01-31T12:00:00Z', granularity: 86_400 };
      expect(await refusal({ ...year, group_by: [{ key: 'agent_name' }] })).toBe('422 body.end');
      expect(await refusal(year)).toBe(200);
    });

    it('what does not go together', async () => {
      const bucket_by = { type: 'number', value: { key: 'input_tokens' } };
      const group_by = [{ key: 'agent_name' }];
      const measure = { alias: 'a', aggregation: 'count' };
      expect(await refusal({ bucket_by, group_by })).toBe('422 body.group_by');
      expect(await refusal({ bucket_by: { ...bucket_by, group_by, measure } })).toBe('422 body.bucket_by');
      expect(await refusal({ bucket_by: { type: 'number', group_by } })).toBe('422 body.bucket_by');
      expect(await refusal({ bucket_by: { type: 'number', group_by, measure } })).toBe('422 body.metrics');
      expect(await refusal({ bucket_by: { ...bucket_by, min: 2, max: 1 } })).toBe('422 body.bucket_by.max');
      expect(await refusal({ group_by, group_filters: [{ measure, min: 1 }] })).toBe('422 body.group_filters');
    });

    it('signals and insights, which are not made here', async () => {
      expect(await refusal({ signal_filters: { tags: ['a'] } })).toBe(501);
      expect(await refusal({ insight_filters: [{ field: 'intent_category', values: ['a'] }] })).toBe(501);
    });
  });
});
