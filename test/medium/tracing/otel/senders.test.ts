import { readFileSync } from 'node:fs';
import { startQueries } from '../query/query-client.js';
import { type GivenSpan, SpanSender } from './span-sender.js';

/**
 * What the instrumentations themselves sent (October 2026) of one conversation with a model that calls a tool once:
 * 100 + 20 tokens of which 40 were cached and 5 reasoning, then 200 + 10 of which 64 and 4. Attributes that no reader
 * of calls looks at are left out.
 */
const SENT = JSON.parse(readFileSync(new URL('sender-spans.json', import.meta.url), 'utf8')) as Record<
  string,
  GivenSpan[]
>;
const MODEL = 'gpt-4o-2024-08-06';
const ROOT = '0000000000000001';

describe('Spans as their senders write them', () => {
  let queries: Awaited<ReturnType<typeof startQueries>>;
  let sender: SpanSender;
  let counter = 0;

  beforeAll(async () => {
    queries = await startQueries();
  });
  afterAll(() => queries.api.close());
  beforeEach(() => {
    sender = new SpanSender(queries.api, queries.user, `senders-${++counter}`);
  });

  const sendAll = (name: string) => sender.send(...SENT[name]!.map((span, i) => ({ ...span, at: i })));

  describe.each(['Vercel AI SDK 4', 'Vercel AI SDK 5', 'pydantic-ai', 'OpenInference', 'OpenLLMetry'])('%s', (name) => {
    it('counts every token once, under the model that answered', async () => {
      await sendAll(name);
      expect((await sender.usage(ROOT))[MODEL]).toMatchObject({ prompt_tokens: 300, completion_tokens: 30 });
      const { [MODEL]: sums, ...others } = await sender.sums('input_tokens', 'output_tokens');
      expect(sums).toEqual({ input_tokens: 300, output_tokens: 30 });
      expect(others).toEqual(
        name === 'pydantic-ai' ? {} : { 'text-embedding-3-small': { input_tokens: 7, output_tokens: 0 } },
      );
    });

    it('shows what went into the model and what came out', async () => {
      await sendAll(name);
      const query = { $expr: { $eq: [{ $getField: 'attributes.usage_scope' }, { $literal: 'own' }] } };
      const [first, second] = await sender.find({ query, sort_by: [{ field: 'started_at', direction: 'asc' }] });
      expect(JSON.stringify(first?.['inputs'])).toContain('Weather in Paris?');
      expect(JSON.stringify(first?.['output'])).toContain('weather');
      expect(JSON.stringify(second?.['output'])).toContain('It is sunny.');
    });
  });

  it.each(['Vercel AI SDK 4', 'pydantic-ai', 'OpenInference', 'OpenLLMetry'])(
    '%s: cached tokens cost what cached tokens cost',
    async (name) => {
      await sendAll(name);
      const effective_date = '2026-01-01T00:00:00Z';
      const rates = { prompt_token_cost: 1, completion_token_cost: 0, cache_read_input_token_cost: 0.5 };
      await sender.post('/cost/create', { costs: { [MODEL]: { ...rates, effective_date } } });
      const costs = { prompt_tokens_total_cost: 196, cache_read_input_tokens_total_cost: 52 };
      expect((await sender.usage(ROOT))[MODEL]).toMatchObject({ cache_read_input_tokens: 104, ...costs });
      expect((await sender.sums('total_cost'))[MODEL]).toEqual({ total_cost: 248 });
    },
  );

  it('Langfuse: reads its usage, model and input, and what it says that it cost', async () => {
    await sendAll('Langfuse');
    expect((await sender.usage(ROOT))[MODEL]).toMatchObject({ prompt_tokens: 200, cache_read_input_tokens: 64 });
    const [generation] = await sender.find({
      query: { $expr: { $eq: [{ $getField: 'op_name' }, { $literal: 'gen' }] } },
    });
    expect(generation).toMatchObject({
      inputs: { 'langfuse.observation.input': 'hi' },
      output: { 'langfuse.observation.output': 'ho' },
      attributes: { cost: 0.01, kind: 'generation', model: 'gpt-4o' },
      summary: { usage: { 'gpt-4o': { input_tokens: 14, output_tokens: 5, cache_read_input_tokens: 4 } } },
    });
  });

  it.each([
    ['Vercel AI SDK 4', 'ai.toolCall', 'ai.toolCall.args', 'ai.toolCall.result', { temp: 20 }],
    ['pydantic-ai', 'execute_tool weather', 'gen_ai.tool.call.arguments', 'gen_ai.tool.call.result', 'sunny'],
  ])('%s: a tool call has its arguments and its result', async (name, op_name, args, result, expected) => {
    await sendAll(name);
    const [tool] = await sender.find({ query: { $expr: { $eq: [{ $getField: 'op_name' }, { $literal: op_name }] } } });
    expect(tool).toMatchObject({ inputs: { [args]: { city: 'Paris' } }, output: { [result]: expected } });
    expect(tool).toHaveProperty('attributes.tool', 'weather');
  });

  it.each([
    ['Vercel AI SDK 5', 2],
    ['pydantic-ai', 1],
  ])('%s: a conversation is a thread whose turns are the outermost spans', async (name, turns) => {
    await sendAll(name);
    const text = await (await sender.post('/threads/stream_query', {})).text();
    const [thread, ...others] = text.trim().split('\n');
    expect(others).toEqual([]);
    expect(JSON.parse(thread!)).toMatchObject({ turn_count: turns });
  });
});
