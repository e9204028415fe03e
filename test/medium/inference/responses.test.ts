import { BASE_MODEL, ChatApi, type Json } from './chat-api.js';
import { RESPONSES, ResponsesApi, textOf, TOOLS, WITH_TOOLS } from './responses-api.js';

const allowing = (choice: Json): Json => ({ tools: TOOLS, tool_choice: { type: 'allowed_tools', ...choice } });

describe('a response', () => {
  let t: ChatApi;
  let r: ResponsesApi;
  beforeAll(async () => {
    t = await ChatApi.start();
    r = new ResponsesApi(t);
  });
  afterAll(() => t.close());

  it('looks as OpenAI clients expect, and says the same as a chat', async () => {
    const response = await r.respond({ metadata: { a: 'b' } });
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_[\da-f]{32}$/),
      object: 'response',
      created_at: expect.any(Number),
      error: null,
      instructions: null,
      model: BASE_MODEL,
      output: [
        {
          id: expect.stringMatching(/^msg_/),
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: await t.text(), annotations: [], logprobs: [] }],
        },
      ],
      parallel_tool_calls: true,
      previous_response_id: null,
      store: true,
      metadata: { a: 'b' },
      temperature: 0,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      usage: { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
    });
    const { input_tokens, output_tokens, total_tokens } = response.usage;
    expect(total_tokens).toBe(input_tokens + output_tokens);
  });

  it('tells its tokens where they are to be trained on, those of a chat, in a stream too and later', async () => {
    const fields = { return_token_ids: true, ignore_eos: true, max_output_tokens: 5 };
    const response = await r.respond(fields);
    const chat = await t.complete({
      messages: [{ role: 'user', content: 'Hello!' }],
      ignore_eos: true,
      max_tokens: 5,
      temperature: 0,
      return_token_ids: true,
    });
    const { token_ids, logprobs } = chat.choices[0]!;
    expect(response['token_generations']).toEqual([
      {
        prompt_token_ids: chat['prompt_token_ids'],
        output_tokens: token_ids!.map((token_id, i) => ({ token_id, logprob: logprobs!.content[i]!.logprob })),
        output_indices: [0],
      },
    ]);
    const streamed = (await r.stream(fields)).at(-1)!.response;
    expect(streamed['token_generations']).toEqual(response['token_generations']);
    expect((await t.ask('GET', `${RESPONSES}/${response.id}`)).body).toEqual(response);
    expect(await r.respond()).not.toHaveProperty('token_generations');
  });

  it('is complete where the model ended it, and incomplete where the limit did', async () => {
    const cut = await r.respond({ ignore_eos: true, max_output_tokens: 5 });
    expect(cut).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
      usage: { output_tokens: 5 },
    });
    const whole = await r.respond({
      stop: textOf(await r.respond({ ignore_eos: true })).slice(1, 3),
      ignore_eos: true,
    });
    expect(whole).toMatchObject({ status: 'completed', incomplete_details: null, output: [{ status: 'completed' }] });
  });

  it('reads items as the messages that they are, with instructions before them', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: 'Wait.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'snow' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And' },
          { type: 'text', text: 'now?' },
        ],
      },
    ];
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Wait.', annotations: [] }] },
      { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Oslo"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'snow' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'And' },
          { type: 'input_text', text: 'now?' },
        ],
      },
    ];
    const { usage } = await r.respond({ instructions: 'Be brief.', input });
    expect(usage.input_tokens).toBe((await t.complete({ messages })).usage.prompt_tokens);
  });

  it('is a call where one is demanded, of the tool that is named', async () => {
    const { output } = await r.respond(WITH_TOOLS);
    expect(output).toEqual([
      {
        id: expect.stringMatching(/^fc_/),
        type: 'function_call',
        status: 'completed',
        call_id: expect.stringMatching(/^call_/),
        name: expect.stringMatching(/^get_/),
        arguments: expect.any(String),
      },
    ]);
    expect(['Rome', 'Oslo']).toContain((JSON.parse(output[0]!.arguments) as { city: string }).city);
    for (const tool_choice of [
      { type: 'function', name: 'get_time' },
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'get_time' }] },
    ]) {
      expect((await r.respond({ ...WITH_TOOLS, tool_choice })).output).toMatchObject([{ name: 'get_time' }]);
    }
  });

  it('tells beforehand how many tokens it would be given', async () => {
    const count = (fields: Json) => t.ask('POST', `${RESPONSES}/input_tokens`, { model: BASE_MODEL, ...fields });
    const first = await r.respond();
    for (const fields of [
      { input: 'Weather?' },
      { input: 'Weather?', instructions: 'Be brief.', tools: TOOLS },
      { input: 'And now?', previous_response_id: first.id },
      {
        input: [
          { role: 'user', content: 'Hello!' },
          { type: 'item_reference', id: first.output[0]!.id },
        ],
      },
    ]) {
      const { usage } = await r.respond(fields);
      expect(await count(fields)).toMatchObject({
        status: 200,
        body: { object: 'response.input_tokens', input_tokens: usage.input_tokens },
      });
    }
    const alone = { previous_response_id: first.id };
    expect((await count(alone)).body['input_tokens']).toBeGreaterThan(first.usage.input_tokens);
    for (const [param, fields] of [
      ['messages', {}],
      ['model', { input: 'a', model: null }],
      ['input', { input: 'word '.repeat(200_000) }],
    ] as const) {
      expect(await count(fields)).toMatchObject({
        status: 400,
        body: { error: { param: param.replace('messages', 'input') } },
      });
    }
    expect((await count({ input: 'a', model: 'nobody/knows/it' })).status).toBe(404);
  });

  it('is JSON of a schema where that is asked for', async () => {
    const schema = TOOLS[0]!.parameters;
    const text = { format: { type: 'json_schema', name: 'place', strict: true, schema } };
    const response = await r.respond({ text, max_output_tokens: 100 });
    expect(['Rome', 'Oslo']).toContain((JSON.parse(textOf(response)) as { city: string }).city);
    expect(response['text']).toEqual(text);
  });

  it('says how probable its tokens were where that is asked for', async () => {
    const fields = { include: ['message.output_text.logprobs'], top_logprobs: 2, ignore_eos: true };
    const { output, usage } = await r.respond(fields);
    const { logprobs, text } = output[0]!.content[0]!;
    expect(logprobs).toHaveLength(usage.output_tokens);
    expect(logprobs.map(({ token }) => token).join('')).toBe(text);
    expect(logprobs.every(({ top_logprobs }) => top_logprobs.length === 2)).toBe(true);
  });

  describe('as a stream', () => {
    it('tells its text as it comes, in numbered events', async () => {
      const events = await r.stream({ ignore_eos: true, max_output_tokens: 5 });
      const types = events.map(({ type }) => type.replace('response.', ''));
      expect(types.slice(0, 4)).toEqual(['created', 'in_progress', 'output_item.added', 'content_part.added']);
      expect(types.slice(-4)).toEqual(['output_text.done', 'content_part.done', 'output_item.done', 'incomplete']);
      expect(new Set(types.slice(4, -4))).toEqual(new Set(['output_text.delta']));
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i));
      expect(events[0]!.response).toMatchObject({ status: 'in_progress', output: [], usage: null });
      const { response } = events.at(-1)!;
      expect(
        events
          .filter(({ delta }) => delta)
          .map(({ delta }) => delta)
          .join(''),
      ).toBe(textOf(response));
      expect(textOf(response)).toBe(textOf(await r.respond({ ignore_eos: true, max_output_tokens: 5 })));
    });

    it('tells a call', async () => {
      const events = await r.stream(WITH_TOOLS);
      expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
        'created',
        'in_progress',
        'output_item.added',
        'function_call_arguments.delta',
        'function_call_arguments.done',
        'output_item.done',
        'completed',
      ]);
      expect(events[2]!.item).toMatchObject({ type: 'function_call', status: 'in_progress', arguments: '' });
      expect(events.at(-1)!.response.output).toEqual([events[5]!.item]);
    });

    it('is refused as any other request where it cannot begin', async () => {
      expect(await r.post({ stream: true, max_output_tokens: 100_000 })).toMatchObject({ status: 400 });
    });
  });

  it.each<[string, Json]>([
    ['input', { input: null }],
    ['input', { input: [] }],
    ['input', { input: 5 }],
    ['input[0].role', { input: [{ role: 'wizard', content: 'hi' }] }],
    ['input[0].content', { input: [{ role: 'user' }] }],
    ['input[0].content[0].type', { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }] }],
    ['input[0].type', { input: [{ type: 'computer_call', call_id: 'a' }] }],
    ['input[0].call_id', { input: [{ type: 'function_call_output', output: 'a' }] }],
    ['input[0].id', { input: [{ id: '\u0000', role: 'user', content: 'hi' }] }],
    ['input', { input: 'word '.repeat(5000) }],
    ['tools[0].type', { tools: [{ type: 'web_search' }] }],
    ['tools[0].name', { tools: [{ type: 'function' }] }],
    ['tool_choice', { tool_choice: 'required' }],
    ['tool_choice.type', { tools: TOOLS, tool_choice: { type: 'web_search' } }],
    ['tool_choice', { tools: TOOLS, tool_choice: { type: 'function', name: 'none' } }],
    ['tool_choice', allowing({ tools: [{ type: 'function', name: 'none' }] })],
    ['tool_choice.tools', allowing({})],
    ['tool_choice.tools[0].name', allowing({ tools: [{ type: 'function' }] })],
    ['tool_choice.mode', allowing({ mode: 'none', tools: [] })],
    ['text.format.type', { text: { format: { type: 'xml' } } }],
    ['text.format', { text: { format: { type: 'json_schema', name: 'a', schema: { anyOf: [{ $ref: '#' }] } } } }],
    ['temperature', { temperature: -1 }],
    ['max_output_tokens', { max_output_tokens: 0 }],
    ['background', { background: true, store: false }],
    ['background', { background: 'yes' }],
    ['conversation', { conversation: 'conv_1' }],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['truncation', { truncation: 'some' }],
    ['include', { include: ['everything'] }],
    ['metadata', { metadata: { a: 1 } }],
    ['previous_response_id', { previous_response_id: 'resp_0' }],
    ['previous_response_id', { previous_response_id: '\u0000' }],
    ['model', { model: 7 }],
  ])('is refused for its %s: %j', async (param, fields) => {
    expect(await r.post(fields)).toMatchObject({
      status: 400,
      body: { error: { param, type: 'invalid_request_error' } },
    });
  });
});
