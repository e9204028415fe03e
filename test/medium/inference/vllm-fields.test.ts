import { ChatApi, user } from './chat-api.js';

describe("vLLM's fields of a chat", () => {
  let t: ChatApi;
  beforeAll(async () => {
    t = await ChatApi.start();
  });
  afterAll(() => t.close());

  const ask = { messages: [user('Yes or no?')], max_tokens: 60, temperature: 1, seed: 4 };
  const text = (fields: object) => t.text({ ...ask, ...fields });

  it.each([
    [{ guided_choice: ['maybe', 'perhaps'] }, /^(maybe|perhaps)$/],
    [{ structured_outputs: { choice: ['näh', 'não'] } }, /^(näh|não)$/],
    [{ guided_regex: '[A-Z]{2}-\\d{3}' }, /^[A-Z]{2}-\d{3}$/],
    [{ structured_outputs: { grammar: 'root ::= "<" [a-c] [a-c] ">"' } }, /^<[a-c]{2}>$/],
    [{ guided_json: { enum: [1, 2] } }, /^[12]$/],
    [{ structured_outputs: { json: '{"enum": [3]}' } }, /^3$/],
  ])('%j says what the answer looks like', async (fields, expected) => {
    expect(await text(fields)).toMatch(expected);
  });

  it.each([
    ['guided_regex', { guided_regex: '(a)\\1' }],
    ['structured_outputs.grammar', { structured_outputs: { grammar: 'root ::= missing' } }],
    ['structured_outputs.json', { structured_outputs: { json: { not: {} } } }],
    ['guided_choice', { guided_choice: ['a'], response_format: { type: 'json_object' } }],
    ['prompt_logprobs', { prompt_logprobs: -1 }],
    ['prompt_logprobs', { prompt_logprobs: 1, stream: true }],
    ['messages', { messages: [{ role: 'assistant', content: '' }], continue_final_message: true }],
    ['chat_template_kwargs.messages', { chat_template_kwargs: { messages: [] } }],
  ])('%s is refused by its name', async (param, fields) => {
    expect(await t.post({ ...ask, ...fields })).toMatchObject({ status: 400, body: { error: { param } } });
  });

  it('go on with the last message, or add nothing behind it', async () => {
    const messages = [user('Count.'), { role: 'assistant', content: 'one two' }];
    const prompt = async (fields: object) => {
      const { prompt_token_ids } = await t.complete({ messages, max_tokens: 1, return_token_ids: true, ...fields });
      return prompt_token_ids!;
    };
    const [answer, whole, begun] = await Promise.all([
      prompt({}),
      prompt({ add_generation_prompt: false }),
      prompt({ continue_final_message: true, add_generation_prompt: false }),
    ]);
    // Each is the beginning of the one before.
    expect(answer.slice(0, whole.length)).toEqual(whole);
    expect(whole.slice(0, begun.length)).toEqual(begun);
    expect(new Set([answer, whole, begun].map(({ length }) => length)).size).toBe(3);
  });

  it('show what was continued where that is asked for', async () => {
    const messages = [user('Count.'), { role: 'assistant', content: 'one two' }];
    const begun = { messages, continue_final_message: true, max_tokens: 4 };
    const said = await text(begun);
    expect(await text({ ...begun, echo: true })).toBe(`one two${said}`);
    const response = await t.open({ ...ask, ...begun, echo: true });
    expect(await response.text()).toContain('"content":"one two"');
  });

  it('keep tokens and words away', async () => {
    const { choices } = await t.complete({ ...ask, n: 8, max_tokens: 40, bad_words: ['e', 'a'] });
    for (const { message } of choices) expect(message.content).not.toMatch(/[ea]/);
    const { choices: few } = await t.complete({
      ...ask,
      allowed_token_ids: [97, 98],
      max_tokens: 20,
      return_token_ids: true,
    });
    expect(new Set(few[0]!.token_ids)).toEqual(new Set([97, 98]));
  });
});
