import { ChatApi, user } from './chat-api.js';

describe('a chat completion', () => {
  let t: ChatApi;
  beforeAll(async () => {
    t = await ChatApi.start();
  });
  afterAll(() => t.close());

  it('looks as OpenAI clients expect, at either path', async () => {
    const completion = await t.complete();
    expect(completion).toEqual({
      id: expect.stringMatching(/^chatcmpl-[\da-f]{32}$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'heddle/shuttle-1m',
      system_fingerprint: 'heddle/shuttle-1m',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: expect.any(String), refusal: null },
          logprobs: { content: expect.any(Array), refusal: null },
          finish_reason: expect.stringMatching(/^(stop|length)$/),
          stop_reason: null,
        },
      ],
      usage: expect.any(Object),
    });
    const { prompt_tokens, completion_tokens, total_tokens } = completion.usage;
    expect(completion_tokens).toBe(completion.choices[0]!.logprobs!.content.length);
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    const slash = await t.ask('POST', '/v1/chat/completions/', { model: 'heddle/shuttle-1m', messages: [user('a')] });
    expect(slash.status).toBe(200);
  });

  it('gives the same for the same seed, and as many choices as are asked for', async () => {
    const fields = { temperature: 1, n: 3, seed: 7, max_tokens: 8 };
    const [a, b] = [await t.complete(fields), await t.complete(fields)];
    expect(a.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(a.choices.map(({ message }) => message.content)).toEqual(b.choices.map(({ message }) => message.content));
    expect(new Set(a.choices.map(({ message }) => message.content)).size).toBeGreaterThan(1);
  });

  it('ends at a stop string, without it or with it, and says which', async () => {
    const whole = (await t.text({ max_tokens: 16 }))!;
    const stop = whole.slice(2, 4);
    const end = whole.indexOf(stop);
    const cut = await t.complete({ max_tokens: 16, stop });
    expect(cut.choices[0]).toMatchObject({ finish_reason: 'stop', stop_reason: stop });
    expect(cut.choices[0]!.message.content).toBe(whole.slice(0, end));
    const kept = await t.text({ max_tokens: 16, stop: ['never this', stop], include_stop_str_in_output: true });
    expect(kept).toBe(whole.slice(0, end + stop.length));
  });

  it('takes what vLLM adds', async () => {
    const long = await t.complete({ ignore_eos: true, max_tokens: 40 });
    expect(long).toMatchObject({ usage: { completion_tokens: 40 }, choices: [{ finish_reason: 'length' }] });
    const sampling = { temperature: 2, top_k: 1, min_p: 0.1, repetition_penalty: 1.1, min_tokens: 2 };
    expect((await t.post(sampling)).status).toBe(200);
    const banned = (await t.text({ max_tokens: 1 }))!.charCodeAt(0);
    const other = await t.text({ max_tokens: 1, logit_bias: { [banned]: -100 } });
    expect(other!.charCodeAt(0)).not.toBe(banned);
    const stopped = await t.complete({ stop_token_ids: [banned] });
    expect(stopped.choices[0]).toMatchObject({ finish_reason: 'stop', stop_reason: banned });
  });

  it('prefers the newer name of the limit, and takes null for what is absent', async () => {
    const nothing = Object.fromEntries(
      ['stop', 'seed', 'n', 'tools', 'tool_choice', 'response_format', 'stream_options', 'logit_bias', 'logprobs'].map(
        (name) => [name, null],
      ),
    );
    const fields = { ...nothing, max_tokens: 9, max_completion_tokens: 3, ignore_eos: true };
    expect((await t.complete(fields)).usage.completion_tokens).toBe(3);
  });

  it('ignores what it does not know', async () => {
    expect((await t.post({ user: 'me', store: true, metadata: { a: 1 }, no_such_field: [{}] })).status).toBe(200);
  });

  it('writes JSON where that is asked for', async () => {
    const schema = {
      type: 'object',
      properties: { answer: { enum: ['yes', 'no'] } },
      required: ['answer'],
      additionalProperties: false,
    };
    const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema } };
    const text = await t.text({ response_format, max_tokens: 100 });
    expect(['yes', 'no']).toContain((JSON.parse(text!) as { answer: string }).answer);
  });

  describe('of a chat with tools', () => {
    const tool = (name: string) => ({
      type: 'function',
      function: {
        name,
        parameters: {
          type: 'object',
          properties: { city: { enum: ['Rome', 'Oslo'] } },
          required: ['city'],
          additionalProperties: false,
        },
      },
    });
    const tools = [tool('get_weather'), tool('get_time')];
    const ask = { messages: [user('What is the weather in Oslo?')], tools, max_tokens: 200 };

    it('is a call where one is demanded', async () => {
      const { choices } = await t.complete({ ...ask, tool_choice: 'required' });
      expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { role: 'assistant', content: null } });
      const [call] = choices[0]!.message.tool_calls!;
      expect(call).toMatchObject({ id: expect.stringMatching(/^call_/), type: 'function' });
      expect(['get_weather', 'get_time']).toContain(call!.function.name);
      expect(['Rome', 'Oslo']).toContain((JSON.parse(call!.function.arguments) as { city: string }).city);
    });

    it('is a call of the tool that is named', async () => {
      const tool_choice = { type: 'function', function: { name: 'get_time' } };
      const { choices } = await t.complete({ ...ask, tool_choice });
      expect(choices[0]!.message.tool_calls).toMatchObject([{ function: { name: 'get_time' } }]);
    });

    it('shows the model no tools where none may be called', async () => {
      const { usage } = await t.complete({ ...ask, tool_choice: 'none' });
      const { usage: without } = await t.complete({ ...ask, tools: undefined });
      expect(usage.prompt_tokens).toBe(without.prompt_tokens);
    });

    it('goes on from what a tool said', async () => {
      const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } };
      const messages = [
        ...ask.messages,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'snow' }] },
      ];
      expect((await t.post({ ...ask, messages })).status).toBe(200);
    });
  });
});
