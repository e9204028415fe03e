import { PruneResponsesHandler } from '@heddle/inference';
import { StoredResponsesRepository } from '../../../libs/inference/src/responses/stored-responses.repository.js';
import { as } from '../accounts/requests.js';
import { ChatApi } from './chat-api.js';
import { RESPONSES, ResponsesApi, textOf, TOOLS, WITH_TOOLS } from './responses-api.js';

describe('a response that is stored', () => {
  let t: ChatApi;
  let r: ResponsesApi;
  beforeAll(async () => {
    t = await ChatApi.start();
    r = new ResponsesApi(t);
  });
  afterAll(() => t.close());

  describe('that went before', () => {
    it('is gone on from, with its calls and without its instructions', async () => {
      const first = await r.respond({ ...WITH_TOOLS, instructions: 'Be brief.', input: 'Weather?' });
      const { call_id, name, arguments: given } = first.output[0]!;
      const answered = { type: 'function_call_output', call_id, output: 'snow' };
      const second = await r.respond({ previous_response_id: first.id, input: [answered], tools: TOOLS });
      expect(second['previous_response_id']).toBe(first.id);
      const functions = TOOLS.map(({ type, ...rest }) => ({ type, function: rest }));
      const call = { id: call_id, type: 'function', function: { name, arguments: given } };
      const messages = [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: call_id, content: 'snow' },
      ];
      const chat = await t.complete({ messages, tools: functions });
      expect(second.usage.input_tokens).toBe(chat.usage.prompt_tokens);
      const third = await r.respond({ previous_response_id: second.id, input: 'And now?' });
      const more = [
        { role: 'assistant', content: textOf(second) },
        { role: 'user', content: 'And now?' },
      ];
      const whole = await t.complete({ messages: [...messages, ...more] });
      expect(third.usage.input_tokens).toBe(whole.usage.prompt_tokens);
    });

    it('may be streamed, and is there before its stream ends', async () => {
      const { response } = (await r.stream({})).at(-1)!;
      expect((await r.post({ previous_response_id: response.id })).status).toBe(200);
    });

    it('is there only if it was stored', async () => {
      const { id } = await r.respond({ store: false });
      const missing = { param: 'previous_response_id', code: 'previous_response_not_found' };
      expect(await r.post({ previous_response_id: id })).toMatchObject({ status: 400, body: { error: missing } });
      expect(await t.ask('GET', `${RESPONSES}/${id}`)).toMatchObject({
        status: 404,
        body: { error: expect.any(Object) },
      });
    });

    it('may have its items referred to', async () => {
      const { output } = await r.respond();
      const reference = { type: 'item_reference', id: output[0]!.id };
      const input = [{ role: 'user', content: 'Hello!' }, reference, { role: 'user', content: 'And?' }];
      const { usage } = await r.respond({ input });
      const copied = await r.respond({ input: [input[0], output[0], input[2]] });
      expect(usage).toEqual(copied.usage);
      const unknown = await r.post({ input: [{ ...reference, id: 'msg_0' }] });
      expect(unknown).toMatchObject({ status: 400, body: { error: { param: 'input[0].id' } } });
    });

    it('may not be left out of what goes on from it', async () => {
      const first = await r.respond();
      const second = await r.respond({ previous_response_id: first.id });
      await t.ask('DELETE', `${RESPONSES}/${first.id}`);
      expect(await r.post({ previous_response_id: second.id })).toMatchObject({
        status: 400,
        body: { error: { code: 'previous_response_not_found', message: expect.stringContaining(first.id) } },
      });
    });
  });

  it('is shown and deleted', async () => {
    const response = await r.respond();
    const path = `${RESPONSES}/${response.id}`;
    expect((await t.ask('GET', path)).body).toEqual(response);
    expect(await t.ask('POST', `${path}/cancel`)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request' } },
    });
    expect((await t.ask('DELETE', path)).body).toEqual({ id: response.id, object: 'response', deleted: true });
    const gone = { status: 404, body: { error: { code: 'response_not_found' } } };
    for (const [method, at] of [
      ['GET', path],
      ['DELETE', path],
      ['GET', `${path}/input_items`],
      ['GET', `${RESPONSES}/%00`],
    ] as const) {
      expect(await t.ask(method, at)).toMatchObject(gone);
    }
  });

  it('shows page by page what it answered', async () => {
    const input = ['a', 'b', 'c'].map((content, i) => ({ id: `msg_${i}`, role: 'user', content }));
    const { id } = await r.respond({ input });
    const page = async (query: string) => (await t.ask('GET', `${RESPONSES}/${id}/input_items?${query}`)).body;
    expect(await page('order=asc&limit=2')).toMatchObject({
      object: 'list',
      data: [{ id: 'msg_0', type: 'message', content: 'a' }, { id: 'msg_1' }],
      first_id: 'msg_0',
      last_id: 'msg_1',
      has_more: true,
    });
    expect(await page('order=asc&after=msg_1')).toMatchObject({ data: [{ id: 'msg_2' }], has_more: false });
    expect((await page(''))['data']).toMatchObject([{ id: 'msg_2' }, { id: 'msg_1' }, { id: 'msg_0' }]);
    expect(await page('after=nothing')).toMatchObject({ error: { param: 'after' } });
    expect(await page('limit=0')).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  it("is its user's and the team's, and nobody else's", async () => {
    const { ref } = await t.model();
    const { id } = await r.respond({ model: ref });
    const stranger = as(t.api, await t.api.given.member());
    expect((await stranger('GET', `${RESPONSES}/${id}`)).status).toBe(404);
    expect((await stranger('DELETE', `${RESPONSES}/${id}`)).status).toBe(404);
    expect(await r.post({ previous_response_id: id }, stranger)).toMatchObject({ status: 400 });
    expect((await as(t.api, null)('GET', `${RESPONSES}/${id}`)).status).toBe(401);
    const colleague = await t.api.given.user({ teams: [await t.team()] });
    expect((await as(t.api, colleague)('GET', `${RESPONSES}/${id}`)).status).toBe(200);
  });

  it('goes when nobody has used it for as long as the setting says', async () => {
    const [old, used] = [await r.respond(), await r.respond()];
    const sql = "UPDATE responses SET used_at = now() - interval '31 days' WHERE id = ANY($1)";
    await t.api.database.pool.query(sql, [[old.id, used.id]]);
    await r.respond({ previous_response_id: used.id });
    await new PruneResponsesHandler(t.api.provider(StoredResponsesRepository), t.api.env).handle();
    expect((await t.ask('GET', `${RESPONSES}/${old.id}`)).status).toBe(404);
    expect((await t.ask('GET', `${RESPONSES}/${used.id}`)).status).toBe(200);
  });

  it('is traced where the project wants it', async () => {
    const { ref } = await t.model();
    await t.traceChats();
    const response = await r.respond({ model: ref });
    const [call] = await t.calls((found) => found.length > 0);
    expect(call).toMatchObject({
      op_name: 'openai.responses.create',
      inputs: { model: ref, input: 'Hello!' },
      output: { id: response.id, output: [{ content: response.output[0]!.content }] },
      summary: { usage: { [ref]: { requests: 1, input_tokens: response.usage.input_tokens } } },
    });
  });
});
