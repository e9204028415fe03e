import { BASE_MODEL, ChatApi, eventsOf, type Json, user } from './chat-api.js';

interface Told {
  logprob: number;
  rank: number;
  decoded_token: string;
}

type PromptLogprobs = (Record<string, Told> | null)[];

interface Choice {
  text: string;
  finish_reason: string;
  logprobs: {
    tokens: string[];
    token_logprobs: (number | null)[];
    top_logprobs: (Json | null)[];
    text_offset: number[];
  };
  prompt_logprobs: PromptLogprobs;
}

const PROMPT = 'Say yes, no or maybe.';

describe('log probabilities of a prompt', () => {
  let t: ChatApi;
  beforeAll(async () => {
    t = await ChatApi.start();
  });
  afterAll(() => t.close());

  const bodyOf = (fields: Json) => ({ model: BASE_MODEL, prompt: PROMPT, max_tokens: 4, temperature: 0, ...fields });
  const complete = async (fields: Json) => {
    const { status, body } = await t.ask('POST', '/v1/completions', bodyOf(fields));
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as unknown as { choices: Choice[]; usage: { completion_tokens: number } };
  };
  /** The shipped model's tokens are bytes. */
  const ids = [...Buffer.from(PROMPT)];
  const own = (told: PromptLogprobs) => told.map((tokens, i) => tokens?.[String(ids[i])] ?? null);

  it('are of each token after the first: itself, and others that are likelier or next', async () => {
    const [{ prompt_logprobs: told }] = (await complete({ prompt_logprobs: 3 })).choices as [Choice];
    expect(told).toHaveLength(ids.length);
    expect(told[0]).toBeNull();
    for (const tokens of told.slice(1)) {
      const ranks = Object.values(tokens!).map(({ rank }) => rank);
      expect(ranks).toEqual(expect.arrayContaining([1, 2, 3]));
      expect([3, 4]).toContain(ranks.length);
    }
    expect(own(told).slice(1)).toEqual(
      [...PROMPT].slice(1).map((decoded_token) => expect.objectContaining({ decoded_token })),
    );
    const [{ prompt_logprobs: alone }] = (await complete({ prompt_logprobs: 0 })).choices as [Choice];
    expect(alone.slice(1).every((tokens) => Object.keys(tokens!).length === 1)).toBe(true);
    expect(own(alone)).toEqual(own(told));
  });

  it('are those with which the same tokens would be sampled', async () => {
    const fields = { logprobs: 0, ignore_eos: true, max_tokens: 8, return_token_ids: true };
    const { choices } = await complete(fields);
    const sampled = choices[0] as Choice & { token_ids: number[] };
    const prompt = [...ids, ...sampled.token_ids];
    const told = (await complete({ prompt, prompt_logprobs: 0 })).choices[0]!.prompt_logprobs;
    const found = told.slice(ids.length).map((tokens) => Object.values(tokens!)[0]!.logprob);
    expect(found).toEqual(sampled.logprobs.token_logprobs);
  });

  it('come first where the prompt is shown with log probabilities', async () => {
    const shown = (await complete({ echo: true, logprobs: 2, n: 2 })).choices;
    const plain = (await complete({ logprobs: 2 })).choices[0]!;
    const told = (await complete({ prompt_logprobs: 0 })).choices[0]!.prompt_logprobs;
    for (const { text, logprobs } of shown) {
      expect(text).toBe(PROMPT + plain.text);
      expect(logprobs.tokens).toEqual([...PROMPT, ...plain.logprobs.tokens]);
      expect(logprobs.token_logprobs).toEqual([
        null,
        ...own(told)
          .slice(1)
          .map((token) => token!.logprob),
        ...plain.logprobs.token_logprobs,
      ]);
      expect(logprobs.top_logprobs[0]).toBeNull();
      expect(logprobs.top_logprobs.slice(ids.length)).toEqual(plain.logprobs.top_logprobs);
      expect(logprobs.top_logprobs.slice(1).every((top) => [2, 3].includes(Object.keys(top!).length))).toBe(true);
      expect(logprobs.text_offset).toEqual(logprobs.tokens.map((_, i) => logprobs.tokens.slice(0, i).join('').length));
    }
  });

  it('are all that is answered where nothing is to be sampled', async () => {
    const { choices, usage } = await complete({ prompt: [PROMPT, 'No.'], echo: true, logprobs: 0, max_tokens: 0 });
    expect(choices).toMatchObject([
      { text: PROMPT, finish_reason: 'length', logprobs: { tokens: [...PROMPT] } },
      { text: 'No.', finish_reason: 'length', logprobs: { tokens: ['N', 'o', '.'] } },
    ]);
    expect(usage.completion_tokens).toBe(0);
    expect(await t.ask('POST', '/v1/completions', bodyOf({ max_tokens: 0 }))).toMatchObject({ status: 400 });
  });

  it.each([{ max_tokens: 3 }, { max_tokens: 0 }])('are streamed with the prompt: %j', async (fields) => {
    const request = bodyOf({ echo: true, logprobs: 1, ...fields });
    const body = JSON.stringify({ ...request, stream: true });
    const answer = await fetch(`${t.url}/v1/completions`, { method: 'POST', headers: t.ada.bearer, body });
    const events = eventsOf(await answer.text()).slice(0, -1);
    const parts = events.flatMap((event) => (JSON.parse(event) as { choices: Choice[] }).choices);
    const [whole] = (await complete({ echo: true, logprobs: 1, ...fields })).choices as [Choice];
    expect(parts.map(({ text }) => text).join('')).toBe(whole.text);
    for (const name of ['tokens', 'token_logprobs', 'top_logprobs', 'text_offset'] as const) {
      expect(parts.flatMap(({ logprobs }): unknown[] => logprobs?.[name] ?? [])).toEqual(whole.logprobs[name]);
    }
    expect(parts.at(-1)!.finish_reason).toBe(whole.finish_reason);
  });

  it('are told of a chat, too, and of its template', async () => {
    const fields = { messages: [user(PROMPT)], max_tokens: 1, prompt_logprobs: 1, return_token_ids: true };
    const { prompt_token_ids: tokens, prompt_logprobs: told } = (await t.complete(fields)) as unknown as {
      prompt_token_ids: number[];
      prompt_logprobs: PromptLogprobs;
    };
    expect(told).toHaveLength(tokens.length);
    expect(told.slice(1).map((each, i) => each![String(tokens[i + 1])])).toEqual(
      tokens.slice(1).map(() => expect.objectContaining({ logprob: expect.any(Number), rank: expect.any(Number) })),
    );
    expect(await t.complete({ messages: [user(PROMPT)], max_tokens: 1 })).not.toHaveProperty('prompt_logprobs');
  });

  it('are of the adapter that is asked', async () => {
    const of = async (model: string) => {
      const { body } = await t.ask('POST', '/v1/completions', bodyOf({ model, prompt_logprobs: 0 }));
      return own((body as unknown as { choices: Choice[] }).choices[0]!.prompt_logprobs).slice(1);
    };
    const model = await t.model();
    const base = await of(BASE_MODEL);
    expect(await of(model.ref)).toEqual(base);
    await t.train(model, 'maybe');
    expect(await of(model.ref)).not.toEqual(base);
  });
});
