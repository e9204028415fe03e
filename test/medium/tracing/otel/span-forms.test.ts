import { startQueries } from '../query/query-client.js';
import { type GivenSpan, SpanSender, wireSpan } from './span-sender.js';

const [AGENT, STEP, CHAT] = ['00000000000000a1', '00000000000000b1', '00000000000000c1'] as const;

const using = (operation: string, model: string, input: number, output: number): Pick<GivenSpan, 'attributes'> => ({
  attributes: {
    'gen_ai.operation.name': operation,
    'gen_ai.request.model': model,
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
  },
});

describe('Spans', () => {
  let queries: Awaited<ReturnType<typeof startQueries>>;
  let sender: SpanSender;
  let counter = 0;

  beforeAll(async () => {
    queries = await startQueries();
  });
  afterAll(() => queries.api.close());
  beforeEach(() => {
    sender = new SpanSender(queries.api, queries.user, `forms-${++counter}`);
  });

  const read = async (id: string): Promise<Record<string, unknown>> =>
    ((await (await sender.post('/call/read', { id })).json()) as { call: Record<string, unknown> }).call;

  it.each([
    ['children first', [CHAT, STEP, AGENT]],
    ['parents first', [AGENT, STEP, CHAT]],
  ])('of an agent that sums up its model calls count once, also with a step between (%s)', async (_what, order) => {
    const spans: Record<string, GivenSpan> = {
      [AGENT]: { id: AGENT, ...using('invoke_agent', 'm', 300, 30) },
      [STEP]: { id: STEP, parent: AGENT },
      [CHAT]: { id: CHAT, parent: STEP, ...using('chat', 'm-2026', 300, 30) },
    };
    for (const id of order) await sender.send(spans[id]!);
    expect(Object.keys(await sender.usage(AGENT))).toEqual(['m-2026']);
    expect(await sender.sums('total_tokens')).toEqual({ 'm-2026': { total_tokens: 330 } });
  });

  it('of an agent whose model calls were not all sent keep what is missing', async () => {
    await sender.send(
      { id: AGENT, ...using('invoke_agent', 'm', 300, 30) },
      { id: CHAT, parent: AGENT, ...using('chat', 'm', 100, 10) },
    );
    expect(await sender.sums('total_tokens')).toEqual({ m: { total_tokens: 330 } });
    expect((await sender.usage(AGENT))['m']).toMatchObject({ total_tokens: 330 });
  });

  it('that are model calls below model calls count both, but for two views of one request', async () => {
    await sender.send(
      { id: AGENT, ...using('chat', 'm', 100, 10) },
      { id: STEP, parent: AGENT, ...using('chat', 'm', 100, 10) },
      { id: CHAT, parent: STEP, ...using('chat', 'm', 7, 0) },
    );
    expect(await sender.sums('total_tokens')).toEqual({ m: { total_tokens: 117 } });
    expect((await sender.usage(AGENT))['m']).toMatchObject({ total_tokens: 117 });
  });

  it('that are sent again, pending, ended or corrected, end up as the last one', async () => {
    await sender.send({ id: CHAT, attributes: { input: 'hel' }, wire: { endTimeUnixNano: '0' } });
    await sender.send({ id: CHAT, at: 500, attributes: { input: 'hello' } });
    await sender.post('/call/update', { call_id: CHAT, display_name: 'Named by hand' });
    await sender.send({ id: CHAT, at: 400, name: 'corrected', attributes: { input: 'hello!' } });
    await sender.send({ id: CHAT, attributes: { input: 'late' }, wire: { endTimeUnixNano: '0' } });
    expect(await read(CHAT)).toMatchObject({
      op_name: 'corrected',
      display_name: 'Named by hand',
      inputs: { input: 'hello!' },
      started_at: '2026-01-31T12:00:00.400000Z',
      ended_at: '2026-01-31T12:00:01.400000Z',
    });
  });

  it('are found by the attributes of what sent them', async () => {
    await sender.send({ id: CHAT });
    const by = (field: string, value: string) =>
      sender.ids({ query: { $expr: { $eq: [{ $getField: `attributes.${field}` }, { $literal: value }] } } });
    expect(await by('service.name', 'shop')).toBe(CHAT);
    expect(await by('resource.deployment.environment', 'test')).toBe(CHAT);
    expect(await by('service.name', 'other')).toBe('');
  });

  it('lose nothing by one odd attribute', async () => {
    const odd = [
      { key: 'n', value: { intValue: 'many' } },
      { value: { stringValue: 'no key' } },
      { key: 'good', value: { stringValue: 'yes' } },
    ];
    await sender.send({ id: CHAT, wire: { attributes: odd } });
    expect(await read(CHAT)).toMatchObject({ attributes: { n: 'many', good: 'yes' } });
  });

  it('are read in the form before OTLP 1.0, and with the names of the .proto files', async () => {
    const spans = [wireSpan({ id: CHAT, name: 'former' })];
    const instrumentationLibrary = { name: 'library' };
    await sender.export({ resourceSpans: [{ instrumentationLibrarySpans: [{ instrumentationLibrary, spans }] }] });
    expect(await read(CHAT)).toMatchObject({ op_name: 'former', otel_dump: { scope: instrumentationLibrary } });
    const snake = JSON.parse(
      JSON.stringify(wireSpan({ id: STEP, name: 'snake', attributes: { n: 5 } })).replace(/"(\w+)":/g, (key) =>
        key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      ),
    ) as object;
    await sender.export({ resource_spans: [{ scope_spans: [{ spans: [snake] }] }] });
    expect(await read(STEP)).toMatchObject({ op_name: 'snake', attributes: { n: 5 } });
  });
});
