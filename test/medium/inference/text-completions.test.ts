import type { Answer } from '../accounts/requests.js';
import { BASE_MODEL, ChatApi, eventsOf, type Json } from './chat-api.js';

interface Choice {
  index: number;
  text: string;
  finish_reason: string | null;
  logprobs: { text_offset: number[]; token_logprobs: number[]; tokens: string[]; top_logprobs: Json[] } | null;
  token_ids?: number[];
  prompt_token_ids?: number[];
}

interface Completion {
  choices: Choice[];
  usage: { prompt_tokens: number; completion_tokens: number };
}

const PROMPT = 'Once upon';
const PATH = '/v1/completions';

describe('a completion of a text', () => {
  let t: ChatApi;
  beforeAll(async () => {
    t = await ChatApi.start();
  });
  afterAll(() => t.close());

  const bodyOf = (fields: Json): Json => ({
    model: BASE_MODEL,
    prompt: PROMPT,
    max_tokens: 8,
    temperature: 0,
    ...fields,
  });
  const post = (fields: Json = {}): Promise<Answer> => t.ask('POST', PATH, bodyOf(fields));
  const complete = async (fields: Json = {}): Promise<Completion> => {
    const { status, body } = await post(fields);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as unknown as Completion;
  };
  const textOf = async (fields: Json = {}) => (await complete(fields)).choices[0]!.text;
  const stream = async (fields: Json): Promise<Completion[]> => {
    const body = JSON.stringify(bodyOf({ stream: true, ...fields }));
    const text = await (await fetch(t.url + PATH, { method: 'POST', headers: t.ada.bearer, body })).text();
    const events = eventsOf(text);
    expect(events.pop()).toBe('[DONE]');
    return events.map((event) => JSON.parse(event) as Completion);
  };
  /** The shipped model's tokens are bytes. */
  const ids = (text: string): number[] => [...Buffer.from(text)];

  it('looks as OpenAI clients expect', async () => {
    expect(await complete()).toEqual({
      id: expect.stringMatching(/^cmpl-[\da-f]{32}$/),
      object: 'text_completion',
      created: expect.any(Number),
      model: BASE_MODEL,
      system_fingerprint: BASE_MODEL,
      choices: [
        {
          index: 0,
          text: expect.any(String),
          logprobs: null,
          finish_reason: expect.stringMatching(/^(stop|length)$/),
          stop_reason: null,
        },
      ],
      usage: { prompt_tokens: PROMPT.length, completion_tokens: expect.any(Number), total_tokens: expect.any(Number) },
    });
  });

  it('goes on for 16 tokens unless it is said how many', async () => {
    const { usage } = await complete({ max_tokens: null, ignore_eos: true });
    expect(usage.completion_tokens).toBe(16);
  });

  it('is the same for a text and for its tokens', async () => {
    const text = await textOf();
    expect(await textOf({ prompt: ids(PROMPT) })).toBe(text);
    expect(await textOf({ prompt: [PROMPT] })).toBe(text);
    expect(await textOf({ prompt: [ids(PROMPT)] })).toBe(text);
  });

  it('of several texts has the choices of each in a row', async () => {
    const { choices, usage } = await complete({ prompt: ['Once', 'I am', 'No'], n: 2, echo: true });
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(choices.map(({ text }) => text.slice(0, 2))).toEqual(['On', 'On', 'I ', 'I ', 'No', 'No']);
    expect(choices[2]!.text).toBe(`I am${await textOf({ prompt: 'I am' })}`);
    expect(usage.prompt_tokens).toBe('OnceI amNo'.length);
  });

  it('begins with the prompt where that is asked for, also of token ids', async () => {
    const text = await textOf();
    expect(await textOf({ echo: true })).toBe(PROMPT + text);
    expect(await textOf({ echo: true, prompt: ids(PROMPT) })).toBe(PROMPT + text);
  });

  it('says how probable its tokens were, with as many others as are asked for', async () => {
    const { choices, usage } = await complete({ logprobs: 3, ignore_eos: true });
    const { text, logprobs } = choices[0]!;
    expect(logprobs!.tokens.join('')).toBe(text);
    expect(logprobs!.tokens).toHaveLength(usage.completion_tokens);
    expect(logprobs!.text_offset).toEqual(logprobs!.tokens.map((_, i) => logprobs!.tokens.slice(0, i).join('').length));
    for (const [i, top] of logprobs!.top_logprobs.entries()) {
      expect([3, 4]).toContain(Object.keys(top).length);
      expect(top[logprobs!.tokens[i]!]).toBe(logprobs!.token_logprobs[i]);
    }
    const alone = (await complete({ logprobs: 0 })).choices[0]!.logprobs!;
    expect(alone.top_logprobs.every((top) => Object.keys(top).length === 1)).toBe(true);
    expect((await complete({ logprobs: 0, return_tokens_as_token_ids: true })).choices[0]!.logprobs!.tokens[0]).toMatch(
      /^token_id:\d+$/,
    );
  });

  it('gives the tokens themselves where they are asked for', async () => {
    const fields = { return_token_ids: true, ignore_eos: true };
    const [choice] = (await complete(fields)).choices;
    expect(choice!.prompt_token_ids).toEqual(ids(PROMPT));
    expect(choice!.token_ids).toHaveLength(8);
    // They are what it goes on from.
    const prompt = [...choice!.prompt_token_ids!, ...choice!.token_ids!.slice(0, 5)];
    const [rest] = (await complete({ ...fields, prompt, max_tokens: 3 })).choices;
    expect(rest!.token_ids).toEqual(choice!.token_ids!.slice(5));
  });

  it('streams what it would have answered at once', async () => {
    const fields = { prompt: ['Once', 'No'], n: 2, echo: true, return_token_ids: true, seed: 4, temperature: 1 };
    const events = await stream({ ...fields, stream_options: { include_usage: true } });
    const whole = await complete(fields);
    const parts = events.flatMap(({ choices }) => choices);
    for (const choice of whole.choices) {
      const own = parts.filter(({ index }) => index === choice.index);
      expect(own.map(({ text }) => text).join('')).toBe(choice.text);
      expect(own.flatMap(({ token_ids = [] }) => token_ids)).toEqual(choice.token_ids);
      expect(own[0]!.prompt_token_ids).toEqual(choice.prompt_token_ids);
      expect(own.at(-1)!.finish_reason).toBe(choice.finish_reason);
    }
    expect(events.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
  });

  it('streams log probabilities with their places', async () => {
    const parts = (await stream({ logprobs: 1, ignore_eos: true })).flatMap(({ choices }) => choices);
    const whole = (await complete({ logprobs: 1, ignore_eos: true })).choices[0]!;
    expect(parts.flatMap(({ logprobs }) => logprobs?.text_offset ?? [])).toEqual(whole.logprobs!.text_offset);
    expect(parts.flatMap(({ logprobs }) => logprobs?.token_logprobs ?? [])).toEqual(whole.logprobs!.token_logprobs);
  });

  it('ends at a stop string, and is the same for the same seed', async () => {
    const long = { max_tokens: 16, ignore_eos: true };
    const whole = await textOf(long);
    const stop = whole.slice(2, 5);
    expect(await textOf({ ...long, stop })).toBe(whole.slice(0, whole.indexOf(stop)));
    const sampled = { temperature: 1, seed: 3 };
    expect(await textOf(sampled)).toBe(await textOf(sampled));
  });

  it.each([
    ['prompt', { prompt: [300] }],
    ['prompt', { prompt: null }],
    ['prompt', { prompt: 'word '.repeat(1000) }],
    ['prompt', { prompt: 'x'.repeat(2_000_000) }],
    ['suffix', { suffix: 'the end' }],
    ['temperature', { temperature: -1 }],
  ])('is refused for its %s', async (param, fields) => {
    expect(await post(fields)).toMatchObject({
      status: 400,
      body: { error: { param, type: 'invalid_request_error' } },
    });
  });

  it('is refused where there is no such model, or no key', async () => {
    expect(await post({ model: 'gpt-4o' })).toMatchObject({
      status: 404,
      body: { error: { code: 'model_not_found' } },
    });
    const response = await fetch(t.url + PATH, { method: 'POST', body: JSON.stringify(bodyOf({})) });
    expect(response.status).toBe(401);
  });

  it('is traced where the project wants it', async () => {
    const { ref } = await t.model();
    await t.traceChats();
    const text = await textOf({ model: ref, logprobs: 2 });
    const [call] = await t.calls((found) => found.length > 0);
    expect(call).toMatchObject({
      op_name: 'openai.completions.create',
      inputs: { model: ref, prompt: PROMPT },
      output: { choices: [{ text }] },
      summary: { usage: { [ref]: { requests: 1, prompt_tokens: PROMPT.length } } },
    });
    expect(call!.output).not.toHaveProperty('choices.0.logprobs.tokens.0');
  });
});
