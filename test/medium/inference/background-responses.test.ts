import { Env } from '@heddle/config';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApi } from '../../../apps/api/src/create-api.js';
import { eventually } from '../../support/eventually.js';
import { as } from '../accounts/requests.js';
import { ChatApi, type Json } from './chat-api.js';
import { RESPONSES, type Response, ResponsesApi, textOf, TOOLS, WITH_TOOLS } from './responses-api.js';

const LONG = { ignore_eos: true, max_output_tokens: 900 };
const hasEnded = ({ status }: Json): boolean => status !== 'queued' && status !== 'in_progress';

describe('a response in the background', () => {
  let t: ChatApi;
  let r: ResponsesApi;
  let other: NestExpressApplication;
  let url: string;
  beforeAll(async () => {
    t = await ChatApi.start({
      CHAT_REQUESTS_PER_USER: '2',
      BACKGROUND_RESPONSES_PER_USER: '3',
      BACKGROUND_RESPONSES: '4',
    });
    r = new ResponsesApi(t);
    // Before there are connections, which a start as long as their keep-alive time would break.
    other = await createApi(t.api.env);
    await other.listen(0, '127.0.0.1');
    url = (await other.getUrl()).replace('[::1]', '127.0.0.1');
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });
  afterEach(async () => {
    // Nothing is left that takes the places of the next test.
    const sql = 'SELECT count(*)::int AS count FROM background_responses WHERE lease_until IS NOT NULL';
    const open = async () => (await t.api.database.pool.query<{ count: number }>(sql)).rows[0]!.count;
    await eventually(open, (count) => count === 0);
  });

  const start = (fields: Json = {}) => r.respond({ background: true, ...fields });
  const get = async (id: string): Promise<Response> => (await t.ask('GET', `${RESPONSES}/${id}`)).body as Response;
  const end = (id: string) => eventually(() => get(id), hasEnded);
  const cancel = (id: string) => t.ask('POST', `${RESPONSES}/${id}/cancel`);

  /** Takes all places of the user's; @returns what gives them back */
  async function fill(): Promise<() => void> {
    const left = new AbortController();
    for (let i = 0; i < 2; i++) await t.open({ n: 16, ignore_eos: true }, left.signal);
    return () => left.abort();
  }

  it('is answered at once, and is later what it would have been', async () => {
    const whole = await r.respond({ metadata: { a: 'b' } });
    const queued = await start({ metadata: { a: 'b' } });
    expect(queued).toMatchObject({ status: 'queued', background: true, output: [], usage: null, metadata: { a: 'b' } });
    const made = await end(queued.id);
    expect(made).toMatchObject({ id: queued.id, status: whole['status'], background: true, usage: whole.usage });
    expect(textOf(made)).toBe(textOf(whole));
  });

  it('waits for its turn where the user has enough in flight', async () => {
    const leave = await fill();
    const { id } = await start();
    expect(await get(id)).toMatchObject({ status: 'queued' });
    leave();
    expect(hasEnded(await end(id))).toBe(true);
  });

  it('is made while nobody reads it: the stream of its events may be left and gone on with', async () => {
    const asked = { background: true, stream: true, ignore_eos: true, max_output_tokens: 40 };
    const all = await r.stream(asked);
    expect(all.map(({ type }) => type.replace('response.', ''))).toEqual([
      'created',
      'queued',
      'in_progress',
      'output_item.added',
      'content_part.added',
      ...Array.from({ length: all.length - 9 }, () => 'output_text.delta'),
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'incomplete',
    ]);
    expect(all.map(({ sequence_number }) => sequence_number)).toEqual(all.map((_, i) => i));
    const { response } = all.at(-1)!;
    expect(response).toEqual(await get(response.id));
    for (const after of [0, 3, 7, all.length - 2, all.length - 1]) {
      expect(await r.resume(response.id, `&starting_after=${after}`)).toEqual(all.slice(after + 1));
    }
    expect(await r.resume(response.id)).toEqual(all);
  });

  it('goes on when the client that streams it leaves', async () => {
    const left = new AbortController();
    const body = JSON.stringify({
      model: 'heddle/shuttle-1m',
      input: 'Hello!',
      background: true,
      stream: true,
      ...LONG,
    });
    const request = { method: 'POST', headers: t.ada.bearer, body, signal: left.signal };
    const { body: stream } = await fetch(t.url + RESPONSES, request);
    const { value } = await stream!.getReader().read();
    const id = /resp_[\da-f]{32}/.exec(new TextDecoder().decode(value))![0];
    left.abort();
    const events = await r.resume(id);
    expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: { usage: { output_tokens: 900 } } });
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i));
  });

  it('may call tools, be gone on from and traced as any other', async () => {
    const { ref } = await t.model();
    await t.traceChats();
    const { id } = await start({ ...WITH_TOOLS, model: ref });
    const made = await end(id);
    expect(made.output).toMatchObject([{ type: 'function_call', status: 'completed' }]);
    const answer = { type: 'function_call_output', call_id: made.output[0]!.call_id, output: 'snow' };
    const next = await r.respond({ previous_response_id: id, input: [answer], tools: TOOLS });
    expect(next.usage.input_tokens).toBeGreaterThan(made.usage.input_tokens);
    await t.calls((calls) => calls.some(({ output }) => output?.['id'] === id));
  });

  it('is cancelled, also twice, and says nothing more', async () => {
    const { id } = await start({ ...LONG, stream: false });
    const { status, body } = await cancel(id);
    expect([status, body['status'], body['output']]).toEqual([200, 'cancelled', []]);
    expect((await cancel(id)).body).toEqual(body);
    expect(await get(id)).toEqual(body);
    const done = await end((await start()).id);
    expect((await cancel(done.id)).body).toEqual(done);
  });

  it('ends the stream of whoever follows it when it is cancelled', async () => {
    const leave = await fill();
    const stream = r.stream({ background: true, stream: true });
    const sql = 'SELECT response_id AS id FROM background_responses WHERE lease_until IS NOT NULL';
    const [row] = await eventually(
      async () => (await t.api.database.pool.query<{ id: string }>(sql)).rows,
      (rows) => rows.length > 0,
    );
    await cancel(row!.id);
    const events = await stream;
    expect(events.map(({ type }) => type)).toEqual(['response.created', 'response.queued', 'response.cancelled']);
    leave();
  });

  it('is deleted while it is made', async () => {
    const { id } = await start({ ...LONG, stream: false });
    expect((await t.ask('DELETE', `${RESPONSES}/${id}`)).status).toBe(200);
    expect((await t.ask('GET', `${RESPONSES}/${id}`)).status).toBe(404);
  });

  it('says why it failed', async () => {
    const { id } = await start({ max_output_tokens: 100_000 });
    expect(await end(id)).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_prompt', message: expect.stringContaining('context') },
      output: [],
    });
    const goingOn = await r.post({ previous_response_id: id });
    expect(goingOn).toMatchObject({ status: 400, body: { error: { code: 'previous_response_not_answered' } } });
  });

  it.each<[number, string, Json]>([
    [404, 'model', { model: 'nobody/knows/it' }],
    [400, 'previous_response_id', { previous_response_id: 'resp_0' }],
    [400, 'temperature', { temperature: -1 }],
    [400, 'background', { store: false }],
  ])('is refused at once with %i for its %s', async (status, param, fields) => {
    expect(await r.post({ background: true, ...fields })).toMatchObject({ status, body: { error: { param } } });
  });

  it("can't be cancelled or streamed later where that was not asked for", async () => {
    const { id } = await r.respond();
    expect((await cancel(id)).status).toBe(400);
    expect(await t.ask('GET', `${RESPONSES}/${id}?stream=true`)).toMatchObject({
      status: 400,
      body: { error: { param: 'stream' } },
    });
    const silent = await end((await start()).id);
    expect((await t.ask('GET', `${RESPONSES}/${silent.id}?stream=true`)).status).toBe(400);
    expect(
      (await t.ask('GET', `${RESPONSES}/${silent.id}?stream=false&include[]=a&include_obfuscation=false`)).status,
    ).toBe(200);
  });

  it('is one of a few that a user and a process may have', async () => {
    const leave = await fill();
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await start()).id);
    const refused = { status: 429, body: { error: { code: 'rate_limit_exceeded' } } };
    expect(await r.post({ background: true })).toMatchObject(refused);
    const other = as(t.api, await t.api.given.member());
    const { status, body } = await r.post({ background: true, ...LONG }, other);
    expect(status).toBe(200);
    expect(await r.post({ background: true }, as(t.api, await t.api.given.member()))).toMatchObject(refused);
    await other('POST', `${RESPONSES}/${String(body['id'])}/cancel`);
    leave();
    for (const id of ids) await end(id);
    expect((await end((await start()).id))['error']).toBeNull();
  });

  it("is nobody else's", async () => {
    const { id } = await start();
    const stranger = as(t.api, await t.api.given.member());
    for (const query of ['', '?stream=true'])
      expect((await stranger('GET', `${RESPONSES}/${id}${query}`)).status).toBe(404);
    expect((await stranger('POST', `${RESPONSES}/${id}/cancel`)).status).toBe(404);
    await end(id);
  });

  describe('of another process', () => {
    it('is followed and cancelled from here', async () => {
      const asked = { background: true, stream: true, ignore_eos: true, max_output_tokens: 100 };
      const { response } = (await r.stream(asked)).at(-1)!;
      expect(await r.resume(response.id, '', url)).toEqual(await r.resume(response.id));
      const leave = await fill();
      const { id } = await start();
      const cancelled = await fetch(`${url}${RESPONSES}/${id}/cancel`, { method: 'POST', headers: t.ada.bearer });
      expect(await cancelled.json()).toMatchObject({ status: 'cancelled' });
      expect(await get(id)).toMatchObject({ status: 'cancelled' });
      leave();
    });

    it('has failed when that process stops, with what was said so far', async () => {
      const stopping = await createApi(Object.assign(Env.from({}), t.api.env, { SHUTDOWN_TIMEOUT_SECONDS: 1 }));
      await stopping.listen(0, '127.0.0.1');
      const there = (await stopping.getUrl()).replace('[::1]', '127.0.0.1');
      const asks = { model: 'heddle/shuttle-1m', messages: [{ role: 'user', content: 'a' }], n: 16, stream: true };
      const left = new AbortController();
      const headers = t.ada.bearer;
      // Enough before it that it can't be done before that process is told to stop, however slow this machine is.
      for (let i = 0; i < 8; i++) {
        const body = JSON.stringify({ ...asks, ignore_eos: true });
        await fetch(`${there}/v1/chat/completions`, { method: 'POST', headers, body, signal: left.signal });
      }
      const body = JSON.stringify({ model: 'heddle/shuttle-1m', input: 'a', background: true, ignore_eos: true });
      const asked = await fetch(there + RESPONSES, { method: 'POST', headers, body });
      const { id, ...made } = (await asked.json()) as Response;
      expect([asked.status, made]).toEqual([200, expect.objectContaining({ background: true })]);
      const closing = stopping.close();
      const ended = await end(id);
      left.abort();
      await closing;
      expect(ended).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('stopped') } });
    });
  });
});
