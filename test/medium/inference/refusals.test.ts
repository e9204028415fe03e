import { as } from '../accounts/requests.js';
import { BASE_MODEL, CHAT, ChatApi, user } from './chat-api.js';

describe('a chat completion is refused', () => {
  let t: ChatApi;
  beforeAll(async () => {
    t = await ChatApi.start();
  });
  afterAll(() => t.close());

  const refusal = (param: string | null, code: unknown = expect.any(String)) => ({
    status: 400,
    body: { error: { message: expect.any(String), type: 'invalid_request_error', param, code } },
  });

  it.each([
    ['messages', []],
    ['messages', 'hi'],
    ['messages[0]', ['hi']],
    ['messages[0].role', [{ content: 'hi' }]],
    ['messages[0].role', [{ role: 'wizard', content: 'hi' }]],
    ['messages[0].content', [{ role: 'user', content: 5 }]],
    ['messages[1].content[0].type', [user('a'), { role: 'user', content: [{ type: 'image_url', image_url: {} }] }]],
  ])('for its %s', async (param, messages) => {
    expect(await t.post({ messages })).toMatchObject(refusal(param));
  });

  it.each([
    ['temperature', { temperature: -0.1 }],
    ['temperature', { temperature: 'hot' }],
    ['top_p', { top_p: 0 }],
    ['top_p', { top_p: 1.1 }],
    ['n', { n: 0 }],
    ['n', { n: 129 }],
    ['n', { n: 1.5 }],
    ['max_tokens', { max_tokens: 0 }],
    ['stop', { stop: 5 }],
    ['stop', { stop: [''] }],
    ['stop', { stop: ['a', 5] }],
    ['seed', { seed: 0.5 }],
    ['top_logprobs', { top_logprobs: 21 }],
    ['top_logprobs', { top_logprobs: 2, logprobs: false }],
    ['logprobs', { logprobs: 5 }],
    ['logit_bias', { logit_bias: { 5: 101 } }],
    ['logit_bias', { logit_bias: { x: 1 } }],
    ['logit_bias', { logit_bias: { 5: null } }],
    ['presence_penalty', { presence_penalty: 2.1 }],
    ['min_tokens', { min_tokens: 13 }],
    ['stop_token_ids', { stop_token_ids: [100_000] }],
    ['stream', { stream: 'yes' }],
    ['stream_options', { stream_options: true }],
    ['response_format.type', { response_format: { type: 'xml' } }],
    ['response_format.json_schema', { response_format: { type: 'json_schema' } }],
    ['tools[0].function', { tools: [{ type: 'function' }] }],
    ['tools[0].type', { tools: [{ type: 'web_search' }] }],
    ['tool_choice', { tool_choice: 'required' }],
    ['tool_choice', { tools: [{ type: 'function', function: { name: 'a' } }], tool_choice: 'sometimes' }],
    [
      'tool_choice',
      {
        tools: [{ type: 'function', function: { name: 'a' } }],
        tool_choice: { type: 'function', function: { name: 'b' } },
      },
    ],
    ['model', { model: 5 }],
    ['model', { model: null }],
  ])('for a bad %s: %j', async (param, fields) => {
    expect(await t.post(fields)).toMatchObject(refusal(param));
  });

  it.each([
    ['', 'messages'],
    ['{"model": "x", "messages": NaN}', null],
    ['{"temperature": NaN}', null],
    ['[]', null],
    ['{"model"', null],
    ['{"model": "x", "seed": 1e999}', null],
    [`{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, null],
  ])('for the body %.40s', async (body, param) => {
    expect(await t.send(body)).toMatchObject({ status: 400, error: { param, type: 'invalid_request_error' } });
  });

  it('for more than the context holds', async () => {
    const { contextLength } = t.engine.baseModels()[0]!;
    const code = 'context_length_exceeded';
    const long = await t.post({ messages: [user('word '.repeat(contextLength))] });
    expect(long).toMatchObject(refusal('messages', code));
    expect(await t.post({ max_tokens: contextLength })).toMatchObject(refusal('messages', code));
    // Nobody renders and tokenizes megabytes that can't fit.
    const unread = { ...refusal('messages', code).body.error, message: expect.stringContaining("can't fit") };
    for (const messages of [[user('x'.repeat(4_000_000))], Array.from({ length: 20_000 }, () => user(''))]) {
      expect(await t.post({ messages })).toMatchObject({ status: 400, body: { error: unread } });
    }
  });

  it('for a body of more than 4 MiB', async () => {
    const body = JSON.stringify({ model: BASE_MODEL, messages: [user('x'.repeat(5_000_000))] });
    expect(await t.send(body)).toMatchObject({ status: 413, error: { code: 'payload_too_large' } });
  });

  it('without a key', async () => {
    const { status, headers, body } = await as(t.api, null)('POST', CHAT, {});
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="heddle"']);
    expect(body).toMatchObject({ error: { type: 'authentication_error', code: 'unauthorized' } });
  });
});
