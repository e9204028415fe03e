import { ChatApi, type Choice, eventsOf, user } from './chat-api.js';

interface Chunk {
  choices: {
    index: number;
    delta: { content?: string | null; function_call?: { name: string; arguments: string } };
    finish_reason: string | null;
  }[];
}

const schemaFormat = (schema: object) => ({ type: 'json_schema', json_schema: { name: 'answer', schema } });
const tool = (name: string, parameters?: unknown) => ({ type: 'function', function: { name, parameters } });

describe('the form of an answer', () => {
  let t: ChatApi;
  beforeAll(async () => {
    t = await ChatApi.start();
  });
  afterAll(() => t.close());

  const ask = { messages: [user('What now?')], max_tokens: 200 };
  const events = async (fields: object): Promise<Chunk[]> => {
    const response = await t.open({ ...ask, ...fields });
    return eventsOf(await response.text())
      .slice(0, -1)
      .map((event) => JSON.parse(event) as Chunk);
  };
  const choice = async (fields: object): Promise<Choice> => (await t.complete({ ...ask, ...fields })).choices[0]!;

  it.each([
    [{ anyOf: [{ $ref: '#' }] }, 'nothing is valid'],
    [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, 'nothing is valid'],
    [{ type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }, 'no value that ends'],
    [{ type: 'string', pattern: '(a)\\1' }, '`pattern`'],
    [{ $ref: 'https://example.com/s' }, 'not inside the schema'],
  ])('is refused where none can be: %j', async (schema, message) => {
    for (const stream of [false, true]) {
      expect(await t.post({ ...ask, stream, response_format: schemaFormat(schema) })).toMatchObject({
        status: 400,
        body: { error: { param: 'response_format', message: expect.stringContaining(message) } },
      });
    }
  });

  it('is an error where nothing that was sampled is valid', async () => {
    const response_format = schemaFormat({ type: 'boolean', oneOf: [{}, {}] });
    for (const stream of [false, true]) {
      expect(await t.post({ ...ask, stream, response_format })).toMatchObject({
        status: 400,
        body: { error: { param: 'response_format', code: 'json_validate_failed' } },
      });
    }
  });

  it('is checked before any of it is streamed', async () => {
    const response_format = schemaFormat({ type: 'integer', minimum: 0, maximum: 99, not: { multipleOf: 2 } });
    const chunks = await events({ response_format, n: 4, seed: 2 });
    const texts: string[] = [];
    for (const { choices } of chunks) {
      for (const { index, delta } of choices) texts[index] = (texts[index] ?? '') + (delta.content ?? '');
    }
    expect(texts).toHaveLength(4);
    for (const text of texts) expect(Number(text) % 2).toBe(1);
  });

  it.each([null, undefined])('of a tool without parameters (%s) is a call without arguments', async (parameters) => {
    const { message } = await choice({ tools: [tool('now', parameters)], tool_choice: 'required' });
    expect(message.tool_calls).toMatchObject([{ function: { name: 'now', arguments: '{}' } }]);
  });

  it('is a call or an answer in the format where both may be', async () => {
    const format = { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] };
    const both = { tools: [tool('now')], response_format: schemaFormat(format), return_token_ids: true };
    const call = await choice(both);
    expect(call).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { arguments: '{}' } }] },
    });
    // A model that is kept from how a call begins.
    const answer = await choice({ ...both, logit_bias: { [call.token_ids![0]!]: -100 } });
    expect([answer.finish_reason, JSON.parse(answer.message.content!)]).toEqual([
      'stop',
      { done: expect.any(Boolean) },
    ]);
  });

  describe('to functions, the older form of tools', () => {
    const functions = [{ name: 'now' }, { name: 'later', parameters: { type: 'object', properties: {} } }];
    const legacy = { functions, function_call: { name: 'now' } };

    it('is a function_call', async () => {
      expect(await choice(legacy)).toMatchObject({
        finish_reason: 'function_call',
        message: { content: null, function_call: { name: 'now', arguments: '{}' } },
      });
    });

    it('is streamed as such', async () => {
      const chunks = await events(legacy);
      const choices = chunks.flatMap((chunk) => chunk.choices);
      expect(choices.flatMap(({ delta }) => delta.function_call ?? [])).toEqual([{ name: 'now', arguments: '{}' }]);
      expect(choices.at(-1)!.finish_reason).toBe('function_call');
    });

    it('goes on from a history of the older form, and from a refusal', async () => {
      const modern = [
        user('a'),
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ type: 'function', function: { name: 'now', arguments: '{}' } }],
        },
        { role: 'tool', content: '1' },
        { role: 'assistant', content: 'No.' },
        user('b'),
      ];
      const older = [
        user('a'),
        { role: 'assistant', content: null, function_call: { name: 'now', arguments: '{}' } },
        { role: 'function', name: 'now', content: '1' },
        { role: 'assistant', content: null, refusal: 'No.' },
        user('b'),
      ];
      const refusal = { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] };
      const parts = older.map((message, i) => (i === 3 ? refusal : message));
      const prompts = [modern, older, parts].map(async (messages) => {
        const { prompt_token_ids } = await t.complete({ messages, max_tokens: 1, return_token_ids: true });
        return prompt_token_ids;
      });
      const [first, ...others] = await Promise.all(prompts);
      for (const other of others) expect(other).toEqual(first);
    });
  });
});
