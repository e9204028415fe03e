import { ChatApi, type Json } from './chat-api.js';
import { ResponsesApi, TOOLS } from './responses-api.js';

const said = (content: string, role = 'user'): Json => ({ role, content });

describe('a response to more than fits into the context', () => {
  let t: ChatApi;
  let r: ResponsesApi;
  let context: number;
  beforeAll(async () => {
    t = await ChatApi.start();
    r = new ResponsesApi(t);
    context = t.engine.baseModels()[0]!.contextLength;
  });
  afterAll(() => t.close());

  /** The shipped model's tokens are bytes: so many tokens, and those of the template. */
  const long = (tokens: number): string => 'word '.repeat(Math.ceil(tokens / 5));
  const tokensOf = async (fields: Json) => (await r.respond({ truncation: 'auto', ...fields })).usage.input_tokens;

  it('leaves out the oldest items where it may, and else is refused', async () => {
    const input = [said(long(context)), said('a', 'assistant'), said(long(context / 2)), said('Hello!')];
    expect(await r.post({ input })).toMatchObject({ status: 400, body: { error: { param: 'input' } } });
    const response = await r.respond({ input, truncation: 'auto' });
    expect(response).toMatchObject({ truncation: 'auto', status: expect.stringMatching(/^(in)?complete/) });
    expect(response.usage.input_tokens).toBe(await tokensOf({ input: input.slice(1) }));
    expect(await r.respond({ input: input.slice(2) })).toMatchObject({ truncation: 'disabled' });
  });

  it('keeps the instructions, and room for the answer that is asked for', async () => {
    const input = [said(long(context / 2)), said('Hello!')];
    const instructions = 'Be brief.';
    const all = await tokensOf({ input, instructions });
    expect(all).toBeGreaterThan(context / 2);
    const room = context - all;
    expect(await tokensOf({ input, instructions, max_output_tokens: room, stop: ['e'] })).toBe(all);
    expect(await tokensOf({ input, instructions, max_output_tokens: room + 1, stop: ['e'] })).toBe(
      await tokensOf({ input: input.slice(1), instructions }),
    );
  });

  it('leaves out no item where all of them fit', async () => {
    const input = [said('a'), said('b', 'assistant'), said('c')];
    expect(await tokensOf({ input })).toBe((await r.respond({ input })).usage.input_tokens);
  });

  it('leaves out answers to calls that it leaves out', async () => {
    const call = {
      type: 'function_call',
      call_id: 'call_1',
      name: 'get_time',
      arguments: JSON.stringify({ city: long(context) }),
    };
    const output = { type: 'function_call_output', call_id: 'call_1', output: 'noon' };
    const input = [call, output, said('Hello!')];
    expect(await tokensOf({ input, tools: TOOLS })).toBe(await tokensOf({ input: input.slice(2), tools: TOOLS }));
  });

  it('goes on from a conversation that outgrew the context, which stays stored as it is', async () => {
    let previous_response_id: string | null = null;
    for (let i = 0; i < 4; i++) {
      const fields = { input: long(context / 3), previous_response_id, truncation: 'auto' };
      const response: Json & { id: string } = await r.respond(fields);
      previous_response_id = response.id;
    }
    expect(await r.post({ previous_response_id })).toMatchObject({ status: 400 });
    expect(await tokensOf({ previous_response_id })).toBeLessThan(context);
  });

  it('may have a body of which most is left out', async () => {
    const input = [...Array.from({ length: 30 }, () => said(long(60_000))), said('Hello!')];
    expect(await tokensOf({ input })).toBe(await tokensOf({ input: 'Hello!' }));
  });

  it('is refused where its last item alone is too long, or is nothing that the model can read', async () => {
    const refused = (fields: Json) => r.post({ truncation: 'auto', ...fields });
    expect(await refused({ input: [said('a'), said(long(2 * context))] })).toMatchObject({
      status: 400,
      body: { error: { param: 'input', code: 'context_length_exceeded' } },
    });
    expect(await refused({ model: 'nobody' })).toMatchObject({ status: 404 });
  });
});
