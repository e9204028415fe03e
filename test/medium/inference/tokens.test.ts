import { ChatApi, type Completion } from './chat-api.js';

describe("a chat completion's tokens", () => {
  let t: ChatApi;
  beforeAll(async () => {
    t = await ChatApi.start();
  });
  afterAll(() => t.close());

  const logprobs = ({ choices }: Completion) => choices[0]!.logprobs!.content;

  it('come with logprobs unasked, whose bytes are the text', async () => {
    const completion = await t.complete({ max_tokens: 10, temperature: 1, seed: 1, ignore_eos: true });
    expect(logprobs(completion)).toHaveLength(10);
    for (const { logprob, top_logprobs } of logprobs(completion)) {
      expect(logprob).toBeLessThanOrEqual(0);
      expect(top_logprobs).toEqual([]);
    }
  });

  it('stay away where nobody wants them', async () => {
    expect((await t.complete({ logprobs: false })).choices[0]!.logprobs).toBeNull();
  });

  it('come with their alternatives, the best first', async () => {
    for (const token of logprobs(await t.complete({ logprobs: true, top_logprobs: 4 }))) {
      expect(token.top_logprobs).toHaveLength(4);
      const values = token.top_logprobs.map(({ logprob }) => logprob);
      expect(values).toEqual([...values].sort((a, b) => b - a));
      // The likeliest was taken.
      expect(token.top_logprobs[0]).toMatchObject({ token: token.token, bytes: token.bytes });
      expect(token.top_logprobs[0]!.logprob).toBeCloseTo(token.logprob, 4);
    }
  });

  it('are those of the distribution at temperature 1, whatever it was sampled with', async () => {
    const fields = { max_tokens: 6, ignore_eos: true };
    const plain = logprobs(await t.complete({ ...fields, temperature: 0 }));
    const hot = logprobs(await t.complete({ ...fields, temperature: 3, top_k: 1, logit_bias: { 65: 1 } }));
    expect(hot.map(({ token }) => token)).toEqual(plain.map(({ token }) => token));
    for (const [i, { logprob }] of hot.entries()) expect(logprob).toBeCloseTo(plain[i]!.logprob, 4);
  });

  it('are what training clients ask for: ids of prompt and answer, the end token among them', async () => {
    const asked = { return_token_ids: true, return_tokens_as_token_ids: true, max_tokens: 200, n: 2, temperature: 1 };
    const completion = await t.complete(asked);
    expect(completion.prompt_token_ids).toHaveLength(completion.usage.prompt_tokens);
    expect(completion.choices.some(({ finish_reason }) => finish_reason === 'stop')).toBe(true);
    for (const { token_ids, logprobs: given, message, finish_reason } of completion.choices) {
      expect(given!.content.map(({ token }) => token)).toEqual(token_ids!.map((id) => `token_id:${id}`));
      const text = finish_reason === 'stop' ? given!.content.slice(0, -1) : given!.content;
      expect(Buffer.from(text.flatMap(({ bytes }) => bytes)).toString()).toBe(message.content);
    }
    const sampled = completion.choices.reduce((sum, { token_ids }) => sum + token_ids!.length, 0);
    expect(sampled).toBe(completion.usage.completion_tokens);
  });

  it('have no ids where nobody asks', async () => {
    const completion = await t.complete();
    expect(completion).not.toHaveProperty('prompt_token_ids');
    expect(completion.choices[0]).not.toHaveProperty('token_ids');
  });
});
