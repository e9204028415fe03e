import { as } from '../accounts/requests.js';
import { BASE_MODEL, ChatApi, type Json, user } from './chat-api.js';

describe('the tokens of a text', () => {
  let t: ChatApi;
  beforeAll(async () => {
    t = await ChatApi.start();
  });
  afterAll(() => t.close());

  const tokenize = (fields: Json) => t.ask('POST', '/tokenize', { model: BASE_MODEL, ...fields });
  const detokenize = (fields: Json) => t.ask('POST', '/detokenize', { model: BASE_MODEL, ...fields });
  const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } };

  it('are counted and listed, as vLLM does', async () => {
    expect(await tokenize({ prompt: 'Hé' })).toMatchObject({
      status: 200,
      body: { count: 3, max_model_len: 1024, tokens: [72, 195, 169], token_strs: null },
    });
    const { body } = await tokenize({ prompt: 'Hé', return_token_strs: true });
    expect(body['token_strs']).toEqual(['H', 'Ã', '©']);
  });

  it('become that text again', async () => {
    const prompt = 'Hé, wörld 🧵';
    const { tokens } = (await tokenize({ prompt })).body;
    expect(await detokenize({ tokens })).toMatchObject({ status: 200, body: { prompt } });
    expect(await detokenize({ tokens: [] })).toMatchObject({ status: 200, body: { prompt: '' } });
  });

  it('of a chat are those that the chat is asked with, also with tools', async () => {
    for (const chat of [{ messages: [user('Hello!')] }, { messages: [user('Hello!')], tools: [tool] }]) {
      const { body } = await tokenize(chat);
      const asked = await t.complete({ ...chat, return_token_ids: true });
      expect(body['tokens']).toEqual(asked.prompt_token_ids);
      expect(body['count']).toBe(asked.usage.prompt_tokens);
    }
  });

  it("are those of the model's base where it is a trained one", async () => {
    const { ref } = await t.model();
    expect(await tokenize({ model: ref, prompt: 'Hi' })).toMatchObject({ status: 200, body: { tokens: [72, 105] } });
  });

  it.each<[string, string, Json]>([
    ['prompt', '/tokenize', {}],
    ['prompt', '/tokenize', { prompt: 5 }],
    ['prompt', '/tokenize', { prompt: '' }],
    ['prompt', '/tokenize', { prompt: 'x'.repeat(1_900_000) }],
    ['messages', '/tokenize', { messages: [] }],
    ['messages[0].role', '/tokenize', { messages: [{ role: 'wizard', content: 'hi' }] }],
    ['messages[0].content', '/tokenize', { messages: [{ role: 'user', content: 5 }] }],
    ['model', '/tokenize', { model: null, prompt: 'Hi' }],
    ['tokens', '/detokenize', {}],
    ['tokens', '/detokenize', { tokens: ['Hi'] }],
    ['tokens', '/detokenize', { tokens: [-1] }],
  ])('are refused for %s of %s', async (param, path, fields) => {
    const answer = await t.ask('POST', path, { model: BASE_MODEL, ...fields });
    expect(answer).toMatchObject({ status: 400, body: { error: { param, type: 'invalid_request_error' } } });
  });

  it('are nobody else’s business: a key and a model that one may read are needed', async () => {
    const { ref } = await t.model();
    const eve = as(t.api, await t.api.given.member());
    for (const [path, rest] of [
      ['/tokenize', { prompt: 'Hi' }],
      ['/detokenize', { tokens: [1] }],
    ] as const) {
      expect((await as(t.api, null)('POST', path, { model: BASE_MODEL, ...rest })).status).toBe(401);
      const foreign = await eve('POST', path, { model: ref, ...rest });
      expect(foreign).toMatchObject({ status: 404, body: { error: { code: 'model_not_found' } } });
    }
  });
});
