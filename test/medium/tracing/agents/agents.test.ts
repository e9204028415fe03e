import { SpanSender } from '../otel/span-sender.js';
import { startQueries } from '../query/query-client.js';
import { id, trace, turn } from './agent-turns.js';

describe('What agents did', () => {
  let queries: Awaited<ReturnType<typeof startQueries>>;
  let sender: SpanSender;
  let counter = 0;

  beforeAll(async () => {
    queries = await startQueries();
  });
  afterAll(() => queries.api.close());
  beforeEach(() => {
    sender = new SpanSender(queries.api, queries.user, `agents-${++counter}`);
  });

  const ask = async <T = Record<string, unknown>>(path: string, body: object = {}): Promise<T> => {
    const response = await sender.post(`/agents/${path}`, body);
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const status = async (path: string, body: object): Promise<number> =>
    (await sender.post(`/agents/${path}`, body)).status;
  const spans = async (body: object = {}) =>
    ask<{ spans: Record<string, unknown>[]; total_count: number }>('spans/query', body);
  const is = (name: string, value: unknown) => ({
    query: { $expr: { $eq: [{ $getField: name }, { $literal: value }] } },
  });

  describe('agents', () => {
    it('have the spans that name them and those below, and every token once', async () => {
      await sender.send(...turn(1), ...turn(2), { id: id(9), name: 'nobody', wire: { traceId: trace(9) } });
      const { agents, total_count: total } = await ask<{ agents: object[]; total_count: number }>('query');
      expect(total).toBe(1);
      expect(agents).toEqual([
        {
          project_id: sender.projectId,
          agent_name: 'helper',
          invocation_count: 2,
          span_count: 8,
          total_input_tokens: 60,
          total_output_tokens: 6,
          total_duration_ms: 2000,
          error_count: 0,
          first_seen: '2026-01-31T12:00:10.000000Z',
          last_seen: '2026-01-31T12:00:21.003000Z',
          total_cost_usd: null,
        },
      ]);
    });

    it('have versions', async () => {
      await sender.send(...turn(1), ...turn(2), ...turn(3, { agent: 'other' }));
      const sort_by = [{ field: 'first_seen', direction: 'asc' }];
      const { versions } = await ask<{ versions: object[] }>('agent-versions/query', { agent_name: 'helper', sort_by });
      expect(versions).toMatchObject([
        { agent_version: 'v1', span_count: 4, total_input_tokens: 30 },
        { agent_version: 'v2', span_count: 4, total_input_tokens: 30 },
      ]);
    });

    it('are filtered, sorted and paged, and counted all', async () => {
      for (const [n, agent] of ['b', 'a', 'c'].entries()) await sender.send(...turn(n + 1, { agent }));
      const names = async (body: object) => {
        const { agents, total_count } = await ask<{ agents: { agent_name: string }[]; total_count: number }>(
          'query',
          body,
        );
        return [agents.map((one) => one.agent_name).join(''), total_count];
      };
      const sort_by = [{ field: 'agent_name', direction: 'asc' }];
      expect(await names({})).toEqual(['cab', 3]);
      expect(await names({ sort_by, limit: 1, offset: 1 })).toEqual(['b', 3]);
      expect(await names({ sort_by, offset: 3 })).toEqual(['', 3]);
      expect(await names({ filters: { agent_name: 'c' } })).toEqual(['c', 1]);
      expect(await status('query', { sort_by: [{ field: 'secret' }] })).toBe(422);
    });

    it('say that what they cost is not worked out', async () => {
      expect(await status('query', { include_costs: true })).toBe(501);
    });
  });

  describe('spans', () => {
    it('are the newest first, with what the conventions say', async () => {
      await sender.send(...turn(1));
      const found = await spans({ limit: 2 });
      expect(found.total_count).toBe(4);
      expect(found.spans.map(({ span_name }) => span_name)).toEqual(['chat m', 'execute_tool weather']);
      expect(found.spans[0]).toMatchObject({
        project_id: sender.projectId,
        trace_id: trace(1),
        span_id: id(160),
        parent_span_id: id(100),
        started_at: '2026-01-31T12:00:10.003000Z',
        status_code: 'OK',
        operation_name: 'chat',
        provider_name: 'p',
        request_model: 'm',
        input_tokens: 20,
        output_tokens: 2,
        input_messages: [],
        total_cost_usd: null,
      });
    });

    it('have messages, tools and attributes of their own where details are asked for', async () => {
      await sender.send(...turn(1));
      const sort_by = [{ field: 'started_at', direction: 'asc' }];
      const found = await spans({ include_details: true, sort_by });
      const [, chat, tool, last] = found.spans;
      expect(chat).toMatchObject({
        input_messages: [{ role: 'user', content: 'Weather?', finish_reason: '' }],
        output_messages: [
          { role: 'assistant', content: expect.stringContaining('tool_call'), finish_reason: 'tool_call' },
        ],
        custom_attrs_int: { 'team.size': 3 },
        custom_attrs_string: { 'team.name': 'x', 'service.name': 'shop' },
      });
      expect(tool).toMatchObject({
        tool_call_arguments: '{"city":"Paris"}',
        tool_call_result: '20°',
        tool_name: 'weather',
      });
      expect(last).toMatchObject({ custom_attrs_float: { ratio: 0.5 }, output_messages: [{ content: 'Sunny.' }] });
    });

    it('are found by fields of any of their names, by time and cost', async () => {
      await sender.send(...turn(1), ...turn(2));
      const price = { prompt_token_cost: 1, completion_token_cost: 2, effective_date: '2026-01-01T00:00:00Z' };
      await sender.post('/cost/create', { costs: { m: price } });
      expect((await spans(is('gen_ai.agent.name', 'helper'))).total_count).toBe(2);
      expect((await spans(is('tool_name', 'weather'))).total_count).toBe(2);
      expect((await spans(is('span_id', id(101)))).spans).toMatchObject([{ input_tokens: 10 }]);
      expect((await spans({ started_after: '2026-01-31T12:00:20Z' })).total_count).toBe(4);
      expect((await spans({ started_before: '2026-01-31T12:00:10.001Z' })).total_count).toBe(1);
      const priced = await spans({ ...is('span_id', id(160)), include_costs: true });
      expect(priced.spans).toMatchObject([{ input_cost_usd: 20, output_cost_usd: 4, total_cost_usd: 24 }]);
      expect(await status('spans/query', is('secret', 1))).toBe(422);
    });

    it('are summed up by what they have in common', async () => {
      await sender.send(...turn(1), ...turn(2));
      const group_by = [{ key: 'operation_name', alias: 'op' }];
      const { groups, total_count: total } = await ask<{ groups: object[]; total_count: number }>('spans/query', {
        group_by,
        sort_by: [{ field: 'span_count', direction: 'desc' }],
        limit: 2,
      });
      expect(total).toBe(3);
      expect(groups).toMatchObject([
        { group_keys: { op: 'chat' }, span_count: 4, total_input_tokens: 60, request_models: ['m'], agent_names: [] },
        { group_keys: { op: 'execute_tool' }, span_count: 2, total_input_tokens: 0 },
      ]);
      const traces = await ask<{ groups: object[] }>('spans/query', { group_by: [{ key: 'trace_id' }], limit: 1 });
      expect(traces.groups).toMatchObject([{ group_keys: { trace_id: trace(2) }, conversation_count: 1 }]);
    });

    it('say what of them is not worked out', async () => {
      const measures = [{ alias: 'a', aggregation: 'count' }];
      expect(await status('spans/query', { group_by: [{ key: 'trace_id' }], measures })).toBe(501);
      expect(await status('spans/query', { signal_filters: { tags: ['a'] } })).toBe(501);
    });

    it('have attributes of their own, by key and type', async () => {
      await sender.send(...turn(1));
      const { attributes } = await ask<{ attributes: object[] }>('spans/custom-attrs/schema');
      expect(attributes).toContainEqual({
        source: 'custom_attrs_int',
        key: 'team.size',
        value_type: 'int',
        span_count: 1,
      });
      expect(attributes).toContainEqual({
        source: 'custom_attrs_float',
        key: 'ratio',
        value_type: 'float',
        span_count: 1,
      });
      expect(attributes[0]).toMatchObject({ span_count: 4 });
      const page = await ask('spans/custom-attrs/schema', { limit: 1, ...is('operation_name', 'chat') });
      expect(page).toMatchObject({ attributes: [{ span_count: 2 }], limit: 1, offset: 0, has_more: true });
    });
  });

  describe('chats', () => {
    const kinds = (chat: { messages: { type: string }[] }) => chat.messages.map(({ type }) => type);

    it('show a trace as question, agent, tool and answer', async () => {
      await sender.send(...turn(1));
      const chat = await ask<{ messages: Record<string, unknown>[] & { type: string }[] }>('traces/chat', {
        trace_id: trace(1),
      });
      expect(kinds(chat)).toEqual(['user_message', 'agent_start', 'tool_call', 'assistant_message']);
      expect(chat).toMatchObject({
        root_span_name: 'helper',
        status_code: 'OK',
        total_duration_ms: 1000,
        total_input_tokens: 30,
        total_output_tokens: 3,
      });
      expect(chat.messages).toMatchObject([
        { user_message: { text: 'Weather?' } },
        { agent_name: 'helper', agent_version: 'v1' },
        {
          agent_name: 'helper',
          tool_call: { tool_name: 'weather', tool_arguments: '{"city":"Paris"}', tool_result: '20°' },
        },
        { agent_name: 'helper', assistant_message: { text: 'Sunny.', model: 'm', input_tokens: 20 } },
      ]);
      expect(await status('traces/chat', { trace_id: 'none' })).toBe(404);
    });

    it('show the newest turns of a conversation in their order', async () => {
      for (const n of [1, 2, 3]) await sender.send(...turn(n, { question: `Q${n}`, answer: `A${n}` }));
      const read = (body: object) =>
        ask<{ turns: { trace_id: string }[] }>('conversations/chat', { conversation_id: 'chat-1', ...body });
      const all = await read({});
      expect(all.turns.map((one) => one.trace_id)).toEqual([1, 2, 3].map(trace));
      expect(all).toMatchObject({ total_turns: 3, has_more: false, limit: 50, offset: 0 });
      const page = await read({ limit: 1, offset: 1 });
      expect(page).toMatchObject({ turns: [{ trace_id: trace(2) }], total_turns: 3, has_more: true });
      expect(await ask('conversations/chat', { conversation_id: 'none' })).toMatchObject({ turns: [], total_turns: 0 });
    });

    it('show which spans a conversation has', async () => {
      await sender.send(...turn(1));
      const { conversations } = await ask<{ conversations: object[] }>('conversations/spans', {
        conversation_ids: ['chat-1', 'none'],
      });
      const span = { trace_id: trace(1), span_id: id(100), status: 'OK', duration_ms: 1000 };
      expect(conversations).toEqual([
        { conversation_id: 'chat-1', spans: [{ operation_name: 'invoke_agent', ...span }], spans_feedback: [] },
        { conversation_id: 'none', spans: [], spans_feedback: [] },
      ]);
    });

    it('are found by what was said in them', async () => {
      await sender.send(...turn(1, { question: 'Größe?' }), ...turn(2, { answer: 'Rain, "maybe".' }));
      const found = async (body: object) => {
        const { results } = await ask<{ results: { matched_messages: { role: string; content_preview: string }[] }[] }>(
          'search',
          body,
        );
        return results.flatMap((one) =>
          one.matched_messages.map(({ role, content_preview: text }) => `${role}: ${text}`),
        );
      };
      expect(await found({ query: 'rain' })).toEqual(['assistant: Rain, "maybe".']);
      expect(await found({ query: '"MAYBE"' })).toEqual(['assistant: Rain, "maybe".']);
      expect(await found({ query: 'größe' })).toEqual(['user: Größe?', 'user: Größe?']);
      expect(await found({ query: 'tool_call' })).toEqual([]);
      expect(await found({ query: 'sunny', roles: ['user'] })).toEqual([]);
      expect(await found({ query: 'sunny', trace_id: trace(2) })).toEqual([]);
      expect(await found({ query: 'sunny', request_model: 'm' })).toEqual(['assistant: Sunny.']);
    });
  });
});
