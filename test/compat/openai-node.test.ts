import OpenAI from 'openai';
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { eventually } from '../support/eventually.js';
import { BASE_MODEL, ChatApi, user } from '../medium/inference/chat-api.js';

describe('The openai client for Node.js, unmodified', () => {
  let t: ChatApi;
  let client: OpenAI;
  let model: string;
  /** Streams that a test has opened. */
  const held: { controller: AbortController }[] = [];
  beforeAll(async () => {
    t = await ChatApi.start({ CHAT_REQUESTS_PER_USER: '3' });
    client = clientWith(t.ada.key);
    ({ ref: model } = await t.model());
  });
  afterEach(async () => {
    for (const stream of held.splice(0)) stream.controller.abort();
    // What a client has left ends a moment later.
    const all = () => Promise.all([answers(), answers(), answers()]);
    await eventually(all, (free) => free.every(Boolean));
  });
  afterAll(() => t.close());

  const clientWith = (apiKey: string): OpenAI => new OpenAI({ apiKey, baseURL: `${t.url}/v1`, maxRetries: 0 });
  const ask = { messages: [user('Hello!')], max_completion_tokens: 12, temperature: 0 };
  const forever = { ignore_eos: true };
  const text = async (fields: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {}) =>
    (await client.chat.completions.create({ ...ask, model, ...fields })).choices[0]!.message.content!;

  const parameters = {
    type: 'object',
    properties: { city: { enum: ['Oslo', 'Rome'] } },
    required: ['city'],
    additionalProperties: false,
  };
  const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }];

  it('chats', async () => {
    const completion = await client.chat.completions.create({ ...ask, model });
    expect(completion).toMatchObject({ object: 'chat.completion', model });
    expect(completion.choices[0]!.message).toMatchObject({ role: 'assistant', content: expect.any(String) });
    expect(completion.usage!.total_tokens).toBe(completion.usage!.prompt_tokens + completion.usage!.completion_tokens);
  });

  it('lists models and shows one', async () => {
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toEqual([BASE_MODEL, model]);
    expect(await client.models.retrieve(model)).toMatchObject({ id: model, owned_by: t.ada.entity });
  });

  it('streams, and adds the stream up to what it would have got at once', async () => {
    const fields = { ...ask, model, n: 2, seed: 3, temperature: 1, logprobs: true };
    const stream = client.chat.completions.stream({ ...fields, stream_options: { include_usage: true } });
    const streamed = await stream.finalChatCompletion();
    const whole = await client.chat.completions.create(fields);
    expect(streamed.usage).toEqual(whole.usage);
    for (const [i, { message, finish_reason, logprobs }] of whole.choices.entries()) {
      expect(streamed.choices[i]!.message).toMatchObject({ role: 'assistant', content: message.content });
      expect(streamed.choices[i]!.finish_reason).toBe(finish_reason);
      expect(streamed.choices[i]!.logprobs!.content).toEqual(logprobs!.content);
    }
  });

  it('gets as many choices as it asks for, with the likeliest tokens beside each token', async () => {
    const { choices } = await client.chat.completions.create({ ...ask, model, n: 3, logprobs: true, top_logprobs: 2 });
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    for (const { logprobs } of choices) {
      expect(logprobs!.content!.every(({ top_logprobs }) => top_logprobs.length === 2)).toBe(true);
    }
  });

  it('is stopped by its words', async () => {
    const whole = await text();
    const stop = whole.slice(3, 5);
    expect(await text({ stop })).toBe(whole.slice(0, whole.indexOf(stop)));
  });

  it('calls tools, at once and streaming', async () => {
    const fields = { model, messages: [user('What is the weather in Oslo?')], tools, tool_choice: 'required' as const };
    const { choices } = await client.chat.completions.create(fields);
    const [call] = choices[0]!.message.tool_calls!;
    expect(call).toMatchObject({ type: 'function', function: { name: 'get_weather' } });
    const streamed = await client.chat.completions.stream(fields).finalChatCompletion();
    const [same] = streamed.choices[0]!.message.tool_calls!;
    expect(same).toMatchObject({ type: 'function', function: { name: 'get_weather' } });
    expect(['Oslo', 'Rome']).toContain((JSON.parse(same!.function.arguments) as { city: string }).city);
    expect(streamed.choices[0]!.message.content ?? null).toBeNull();
    expect(streamed.choices[0]!.finish_reason).toBe('tool_calls');
  });

  it('runs a conversation with tools by itself', async () => {
    const asked: string[] = [];
    const weather = (given: { city: string }): string => {
      asked.push(given.city);
      return 'snow';
    };
    const runner = client.chat.completions.runTools(
      {
        model,
        messages: [user('What is the weather in Oslo?')],
        tool_choice: { type: 'function', function: { name: 'get_weather' } },
        tools: [
          {
            type: 'function',
            function: { name: 'get_weather', function: weather, parse: JSON.parse, parameters, description: 'Weather' },
          },
        ],
      },
      { maxChatCompletions: 1 },
    );
    await runner.done();
    expect(asked).toHaveLength(1);
  });

  it('parses JSON of its own schema', async () => {
    const schema = { name: 'place', strict: true, schema: parameters };
    const parsed = await client.chat.completions.parse({
      ...ask,
      model,
      max_completion_tokens: 100,
      response_format: { type: 'json_schema', json_schema: schema },
    });
    expect(['Oslo', 'Rome']).toContain((JSON.parse(parsed.choices[0]!.message.content!) as { city: string }).city);
  });

  describe('asks for responses', () => {
    const asked = { input: 'Hello!', max_output_tokens: 200, temperature: 0 };
    const place = z.object({ city: z.enum(['Oslo', 'Rome']) });

    it('and streams the same', async () => {
      const story = { ...asked, model, text: { format: zodTextFormat(place, 'place') } };
      const whole = await client.responses.create(story);
      expect(whole).toMatchObject({ object: 'response', status: 'completed', output_text: expect.any(String) });
      const stream = client.responses.stream(story);
      let streamed = '';
      stream.on('response.output_text.delta', ({ delta }) => (streamed += delta));
      expect((await stream.finalResponse()).output_text).toBe(whole.output_text);
      expect(streamed).toBe(whole.output_text);
    });

    it('and parses them', async () => {
      const text = { format: zodTextFormat(place, 'place') };
      const { output_parsed } = await client.responses.parse({ ...asked, model, text });
      expect(place.parse(output_parsed)).toEqual(output_parsed);
    });

    it('with tools, going on from what was stored', async () => {
      const look = { ...zodResponsesFunction({ name: 'look', parameters: place }) };
      const first = await client.responses.parse({ ...asked, model, tools: [look], tool_choice: 'required' });
      const [call] = first.output as [OpenAI.Responses.ResponseFunctionToolCall & { parsed_arguments: unknown }];
      expect(place.parse(call.parsed_arguments)).toEqual(call.parsed_arguments);
      const output = { type: 'function_call_output' as const, call_id: call.call_id, output: 'snow' };
      const second = await client.responses.create({
        ...asked,
        model,
        input: [output],
        previous_response_id: first.id,
      });
      expect(second.previous_response_id).toBe(first.id);
      const items = await client.responses.inputItems.list(second.id);
      expect(items.data.map(({ type }) => type)).toEqual(['function_call_output']);
      expect(await client.responses.retrieve(first.id)).toMatchObject({
        id: first.id,
        output: [{ call_id: call.call_id }],
      });
      await client.responses.delete(first.id);
      await expect(client.responses.retrieve(first.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    });
  });

  it('completes texts, and streams them', async () => {
    const asked = { model, prompt: 'Say this is a test', max_tokens: 7, temperature: 0 };
    const whole = await client.completions.create(asked);
    let streamed = '';
    for await (const { choices } of await client.completions.create({ ...asked, stream: true })) {
      streamed += choices[0]!.text;
    }
    expect(streamed).toBe(whole.choices[0]!.text);
  });

  describe('throws its own', () => {
    const failure = (fields: object, who = client): Promise<unknown> =>
      who.chat.completions
        .create({ ...ask, model, ...fields } as OpenAI.ChatCompletionCreateParamsNonStreaming)
        .catch((error: unknown) => error);

    it('BadRequestError, which names the parameter', async () => {
      const error = await failure({ temperature: -1 });
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({ status: 400, param: 'temperature', type: 'invalid_request_error' });
    });

    it('BadRequestError for too long a prompt', async () => {
      const error = await failure({ messages: [user('word '.repeat(5000))] });
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({ code: 'context_length_exceeded' });
    });

    it('AuthenticationError', async () => {
      expect(await failure({}, clientWith('wrong'))).toBeInstanceOf(OpenAI.AuthenticationError);
    });

    it('NotFoundError', async () => {
      const error = await failure({ model: `${model}:step9` });
      expect(error).toBeInstanceOf(OpenAI.NotFoundError);
      expect(error).toMatchObject({ code: 'model_not_found' });
    });

    it('NotFoundError, which says what is missing, for what is not served here', async () => {
      const missing = client.batches.list();
      await expect(missing).rejects.toBeInstanceOf(OpenAI.NotFoundError);
      await expect(missing).rejects.toMatchObject({ message: '404 There is no route GET /v1/batches' });
      const elsewhere = new OpenAI({ apiKey: t.ada.key, baseURL: t.url, maxRetries: 0 });
      await expect(elsewhere.chat.completions.create({ ...ask, model })).rejects.toMatchObject({
        code: 'route_not_found',
        message: expect.stringContaining("base URL must end in '/v1'"),
      });
    });

    it('BadRequestError for embeddings, which there are none of', async () => {
      const embedding = client.embeddings.create({ model, input: 'Hello!' });
      await expect(embedding).rejects.toMatchObject({ status: 400, code: 'embeddings_not_supported' });
    });

    it('RateLimitError, and comes back by itself when there is room', async () => {
      await Promise.all([0, 1, 2].map(() => endless()));
      const error = await failure({});
      expect(error).toBeInstanceOf(OpenAI.RateLimitError);
      expect(error).toMatchObject({ code: 'rate_limit_exceeded' });
      const patient = new OpenAI({ apiKey: t.ada.key, baseURL: `${t.url}/v1`, maxRetries: 3 });
      const answer = patient.chat.completions.create({ ...ask, model });
      for (const stream of held.splice(0)) stream.controller.abort();
      expect((await answer).object).toBe('chat.completion');
    });

    it('APIUserAbortError', async () => {
      const controller = new AbortController();
      const asked = { model, messages: ask.messages, n: 100, ...forever };
      const answer = client.chat.completions.create(asked, { signal: controller.signal });
      setTimeout(() => controller.abort(), 50);
      await expect(answer).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    });
  });

  /** Goes on for longer than any test. */
  async function endless() {
    const stream = await client.chat.completions.create({
      model,
      messages: ask.messages,
      n: 16,
      stream: true,
      ...forever,
    });
    held.push(stream);
    return stream;
  }

  const answers = (): Promise<boolean> =>
    text({ max_completion_tokens: 1 }).then(
      () => true,
      () => false,
    );

  it('ends a generation by leaving its stream', async () => {
    const [first] = await Promise.all([0, 1, 2].map(() => endless()));
    expect(await answers()).toBe(false);
    for await (const chunk of first!) {
      expect(chunk.object).toBe('chat.completion.chunk');
      // Leaving the loop aborts the request.
      break;
    }
    expect(await eventually(answers, (free) => free)).toBe(true);
  });
});
