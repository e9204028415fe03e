import { ChatApi, type Completion, eventsOf, user } from './chat-api.js';

interface Chunk {
  object: string;
  choices: {
    index: number;
    delta: { role?: string; content?: string | null; tool_calls?: { index: number; function: { name: string } }[] };
    logprobs: { content: { token: string }[] } | null;
    finish_reason: string | null;
    token_ids?: number[];
  }[];
  usage?: Completion['usage'] | null;
  prompt_token_ids?: number[];
}

describe('a streamed chat completion', () => {
  let t: ChatApi;
  beforeAll(async () => {
    t = await ChatApi.start();
  });
  afterAll(() => t.close());

  async function stream(fields: object): Promise<Chunk[]> {
    const response = await t.open({ temperature: 0, max_tokens: 20, ...fields });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events = eventsOf(await response.text());
    expect(events.pop()).toBe('[DONE]');
    return events.map((event) => JSON.parse(event) as Chunk);
  }
  const of = (chunks: Chunk[], index: number) =>
    chunks.flatMap(({ choices }) => choices).filter((c) => c.index === index);
  const text = (chunks: Chunk[], index = 0) =>
    of(chunks, index)
      .map(({ delta }) => delta.content ?? '')
      .join('');

  it('says first who speaks, then what, and last why it ends', async () => {
    const chunks = await stream({});
    expect(new Set(chunks.map(({ object }) => object))).toEqual(new Set(['chat.completion.chunk']));
    expect(chunks[0]!.choices[0]!.delta).toEqual({ role: 'assistant', content: '' });
    const reasons = of(chunks, 0).map(({ finish_reason }) => finish_reason);
    expect(reasons.slice(0, -1).every((reason) => reason === null)).toBe(true);
    expect(reasons.at(-1)).toMatch(/^(stop|length)$/);
    expect(text(chunks)).toBe(await t.text({ max_tokens: 20 }));
    for (const chunk of chunks) expect(chunk).not.toHaveProperty('usage');
  });

  it('is the same as the whole answer, token by token, for each choice', async () => {
    const fields = { n: 3, seed: 3, temperature: 1, return_token_ids: true, return_tokens_as_token_ids: true };
    const whole = await t.complete({ ...fields, max_tokens: 20 });
    const chunks = await stream({ ...fields, stream_options: { include_usage: true } });
    for (const { index, message, token_ids, logprobs } of whole.choices) {
      expect(text(chunks, index)).toBe(message.content);
      expect(of(chunks, index).flatMap((choice) => choice.token_ids ?? [])).toEqual(token_ids);
      const tokens = of(chunks, index).flatMap((choice) => choice.logprobs?.content ?? []);
      expect(tokens.map(({ token }) => token)).toEqual(logprobs!.content.map(({ token }) => token));
    }
    expect(chunks[0]!.prompt_token_ids).toEqual(whole.prompt_token_ids);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
    for (const { usage } of chunks.slice(0, -1)) expect(usage).toBeNull();
  });

  it('never shows how a tool call is written', async () => {
    const parameters = {
      type: 'object',
      properties: { city: { enum: ['Oslo'] } },
      required: ['city'],
      additionalProperties: false,
    };
    const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }];
    const messages = [user('What is the weather in Oslo?')];
    const chunks = await stream({ messages, tools, tool_choice: 'required', max_tokens: 200, logprobs: false });
    expect(chunks[0]!.choices[0]!.delta).toEqual({ role: 'assistant', content: null });
    expect(text(chunks)).toBe('');
    const calls = of(chunks, 0).flatMap(({ delta }) => delta.tool_calls ?? []);
    expect(calls).toMatchObject([
      { index: 0, id: expect.stringMatching(/^call_/), type: 'function', function: { name: 'get_weather' } },
    ]);
    expect(of(chunks, 0).at(-1)!.finish_reason).toBe('tool_calls');
  });

  it('that can not be is an error before it begins', async () => {
    const response = await t.open({ temperature: -1 });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: 'temperature' } });
  });
});
