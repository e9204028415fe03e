import OpenAI from 'openai';
import { ChatApi, user } from '../medium/inference/chat-api.js';
import { eventually } from '../support/eventually.js';

describe('The openai client for Node.js, unmodified,', () => {
  let t: ChatApi;
  let client: OpenAI;
  let model: string;
  beforeAll(async () => {
    t = await ChatApi.start();
    client = new OpenAI({ apiKey: t.ada.key, baseURL: `${t.url}/v1`, maxRetries: 0 });
    ({ ref: model } = await t.model());
  });
  afterAll(() => t.close());

  const forever = { ignore_eos: true };
  const parameters = {
    type: 'object',
    properties: { city: { enum: ['Oslo', 'Rome'] } },
    required: ['city'],
    additionalProperties: false,
  };
  const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }];

  describe('asks for responses in the background', () => {
    const asked = { input: 'Hello!', max_output_tokens: 12, temperature: 0, background: true };
    const isUnderWay = ({ status }: OpenAI.Responses.Response): boolean =>
      status === 'queued' || status === 'in_progress';

    it('and polls until there is an end', async () => {
      const whole = await client.responses.create({ ...asked, model, background: false });
      const created = await client.responses.create({ ...asked, model });
      expect(isUnderWay(created)).toBe(true);
      const made = await eventually(
        () => client.responses.retrieve(created.id),
        (response) => !isUnderWay(response),
      );
      expect(made).toMatchObject({ id: created.id, status: whole.status, background: true });
      expect(made.output_text).toBe(whole.output_text);
      expect(await client.responses.cancel(created.id)).toMatchObject({ id: created.id, status: whole.status });
    });

    it('and cancels one', async () => {
      const long = { ...asked, model, max_output_tokens: 900, ...forever };
      const { id } = await client.responses.create(long);
      expect(await client.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' });
      expect(await client.responses.retrieve(id)).toMatchObject({ id, status: 'cancelled' });
    });

    it('and streams one, leaves, and comes back for the rest', async () => {
      const stream = await client.responses.create({
        ...asked,
        model,
        max_output_tokens: 60,
        ...forever,
        stream: true,
      });
      const events: OpenAI.Responses.ResponseStreamEvent[] = [];
      let id = '';
      for await (const event of stream) {
        events.push(event);
        if (event.type === 'response.created') id = event.response.id;
        if (event.type === 'response.output_text.delta') break;
      }
      const starting_after = events.at(-1)!.sequence_number;
      for await (const event of await client.responses.retrieve(id, { stream: true, starting_after })) {
        events.push(event);
      }
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i));
      let text = '';
      for (const event of events) if (event.type === 'response.output_text.delta') text += event.delta;
      const made = await client.responses.retrieve(id);
      expect(text).toBe(made.output_text);
      const again = client.responses.stream({ response_id: id, starting_after });
      expect((await again.finalResponse()).output_text).toBe(made.output_text);
    });

    it('which have to be stored', async () => {
      const refused = client.responses.create({ ...asked, model, store: false });
      await expect(refused).rejects.toMatchObject({ status: 400, param: 'background' });
    });
  });

  it('counts what a response would be given', async () => {
    const asked = { model, input: 'Tell me a joke.', instructions: 'Be brief.' };
    const { usage } = await client.responses.create({ ...asked, max_output_tokens: 1 });
    expect(await client.responses.inputTokens.count(asked)).toEqual({
      object: 'response.input_tokens',
      input_tokens: usage!.input_tokens,
    });
  });

  it('allows some of the tools only', async () => {
    const other = { type: 'function' as const, function: { name: 'get_time', parameters } };
    const completion = await client.chat.completions.create({
      model,
      messages: [user('What time is it in Oslo?')],
      tools: [...tools, other],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'get_time' } }] },
      },
    });
    expect(completion.choices[0]!.message.tool_calls).toMatchObject([{ function: { name: 'get_time' } }]);
    const response = await client.responses.create({
      model,
      input: 'What time is it in Oslo?',
      tools: [...tools, other].map(({ type, function: described }) => ({ type, strict: true, ...described })),
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'get_time' }] },
    });
    expect(response.output).toMatchObject([{ type: 'function_call', name: 'get_time' }]);
  });
});
