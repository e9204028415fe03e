import { startApi, type TestApi } from '../../support/api.js';
import { TraceClient } from '../tracing/objects/trace-client.js';

const MODEL = 'heddle/shuttle-1m';
const inputs = { model: MODEL, messages: [{ role: 'user', content: 'Hi {name}' }], max_tokens: 4, temperature: 0 };

interface Completed {
  response: { object: string; choices: { message: { content: string }; logprobs: unknown }[]; usage: object };
  span_id: string;
  weave_call_id: string;
  trace_id: string;
  conversation_id: string;
}

describe("Weave's playground", () => {
  let api: TestApi;
  let client: TraceClient;
  let counter = 0;

  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    const user = await api.given.member();
    client = new TraceClient(api.url, user, user.entity, `playground-${++counter}`);
  });

  const complete = async (body: object = {}): Promise<Completed> => {
    const answer = await client.post('/completions/create', { inputs, ...body });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.json<Completed>();
  };
  const read = async (id: string) =>
    (await client.post('/call/read', { id })).json<{ call: Record<string, unknown> }>().call;

  it('is answered by the models that Heddle serves', async () => {
    const { response } = await complete();
    expect(response).toMatchObject({
      object: 'chat.completion',
      choices: [{ logprobs: null }],
      usage: expect.any(Object),
    });
    expect(response.choices[0]!.message.content).not.toBe('');
  });

  it('keeps what was asked and answered as a call, where the client says', async () => {
    const ids = { trace_id: 'trace', parent_id: 'above', conversation_id: 'talk', conversation_name: 'A talk' };
    const asked = { ...inputs, extra_headers: { 'x-key': 'hidden' }, vertex_credentials: 'hidden' };
    const completed = await complete({ inputs: asked, ...ids, source: 'playground' });
    expect(completed).toMatchObject({ trace_id: 'trace', conversation_id: 'talk', weave_call_id: completed.span_id });
    const call = await read(completed.span_id);
    expect(call).toMatchObject({
      trace_id: 'trace',
      parent_id: 'above',
      thread_id: 'talk',
      inputs: { model: MODEL, messages: inputs.messages },
      output: { choices: completed.response.choices },
      attributes: { source: 'playground', gen_ai: { conversation: { id: 'talk', name: 'A talk' } } },
      summary: { usage: { [MODEL]: { requests: 1 } }, weave: { status: 'success' } },
    });
    expect(JSON.stringify(call)).not.toContain('hidden');
    const { turns } = (await client.post('/agents/conversations/chat', { conversation_id: 'talk' })).json<{
      turns: { messages: object[] }[];
    }>();
    expect(turns[0]!.messages).toMatchObject([{ user_message: { text: 'Hi {name}' } }, { type: 'assistant_message' }]);
  });

  it('keeps nothing where it is not to be tracked', async () => {
    const completed = await complete({ track_llm_call: false });
    expect(Object.keys(completed)).toEqual(['response']);
    expect((await client.post('/calls/query_stats', {})).json()).toMatchObject({ count: 0 });
  });

  it('fills in the variables of the messages', async () => {
    const { span_id: id } = await complete({ inputs: { ...inputs, template_vars: { name: 'Ada', other: 1 } } });
    expect(await read(id)).toMatchObject({ inputs: { messages: [{ content: 'Hi Ada' }] } });
  });

  it('streams lines: first where it is kept, then chunks that make the same answer', async () => {
    const whole = await complete();
    const answer = await client.post('/completions/create_stream', { inputs });
    const [first, ...chunks] = answer.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const ids = first!['_meta'] as Completed;
    const content = chunks
      .map((chunk) => (chunk['choices'] as { delta: { content?: string } }[])[0]?.delta.content ?? '')
      .join('');
    expect(content).toBe(whole.response.choices[0]!.message.content);
    expect(await read(ids.span_id)).toMatchObject({
      trace_id: ids.trace_id,
      output: { choices: [{ message: { role: 'assistant', content } }] },
      summary: { usage: { [MODEL]: { requests: 1 } } },
    });
  });

  it.each(['create', 'create_stream'])('%s: keeps what went wrong, and says it', async (path) => {
    const model = { inputs: { ...inputs, model: 'gpt-4o' }, trace_id: 'failed' };
    const refused = await client.post(`/completions/${path}`, model);
    expect(refused).toMatchObject({ status: 404, text: expect.stringContaining("'gpt-4o'") });
    expect(refused.json()).toHaveProperty('reason');
    const { text } = await client.post('/calls/stream_query', { filter: { trace_ids: ['failed'] } });
    expect(JSON.parse(text)).toMatchObject({ exception: expect.stringContaining("'gpt-4o'") });
  });

  it.each([
    ['a prompt by its reference', 501, { inputs: { ...inputs, prompt: 'weave:///a/b/object/c:v0' } }],
    ['a deployment of its own', 501, { inference_route: { base_url: 'https://models.example' } }],
    ['no model', 422, { inputs: { messages: [] } }],
    ['no messages', 422, { inputs: { model: MODEL } }],
  ])('refuses %s', async (_what, status, body) => {
    expect((await client.post('/completions/create', { inputs, ...body })).status).toBe(status);
  });
});
