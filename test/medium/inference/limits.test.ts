import { connect } from 'node:net';
import { eventually } from '../../support/eventually.js';
import { BASE_MODEL, CHAT, ChatApi, user } from './chat-api.js';

describe('chat in flight', () => {
  let t: ChatApi;
  const open: AbortController[] = [];
  beforeAll(async () => {
    t = await ChatApi.start({ CHAT_REQUESTS_PER_USER: '2', CHAT_REQUESTS_PER_PROJECT: '1' });
  });
  afterEach(async () => {
    for (const client of open.splice(0)) client.abort();
    await eventually(
      () => t.post({ max_tokens: 1 }),
      ({ status }) => status === 200,
    );
  });
  afterAll(() => t.close());

  /** A stream that goes on for as long as the context holds. */
  async function hold(fields: object = {}): Promise<AbortController> {
    const client = new AbortController();
    const response = await t.open({ ignore_eos: true, n: 8, ...fields }, client.signal);
    expect(response.status).toBe(200);
    open.push(client);
    return client;
  }

  it('is limited for each user, and says when to come back', async () => {
    await hold();
    const client = await hold();
    const refused = await t.post();
    expect(refused).toMatchObject({
      status: 429,
      body: {
        error: {
          message: 'Concurrency limit reached for requests',
          type: 'rate_limit_error',
          code: 'rate_limit_exceeded',
        },
      },
    });
    expect(refused.headers.get('retry-after')).toBe('1');
    client.abort();
    await eventually(
      () => t.post({ max_tokens: 1 }),
      ({ status }) => status === 200,
    );
  });

  it('is limited for each project', async () => {
    const { ref } = await t.model();
    await hold({ model: ref });
    expect((await t.post({ model: ref })).status).toBe(429);
    expect((await t.post({ max_tokens: 1 })).status).toBe(200);
  });

  it('frees its place when it fails', async () => {
    for (let i = 0; i < 5; i++) expect((await t.post({ top_p: 5 })).status).toBe(400);
    expect((await t.post({ max_tokens: 1 })).status).toBe(200);
  });

  it('ends when the client leaves, streaming or not, before the answer would', async () => {
    const body = JSON.stringify({ model: BASE_MODEL, messages: [user('a')], ignore_eos: true, n: 128 });
    const socket = connect(Number(new URL(t.url).port), '127.0.0.1');
    const head = `POST ${CHAT} HTTP/1.1\r\nhost: x\r\nauthorization: ${t.ada.bearer.authorization}\r\n`;
    socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
    await hold();
    await eventually(
      () => t.post({ max_tokens: 1 }),
      ({ status }) => status === 429,
    );
    const started = performance.now();
    socket.destroy();
    await eventually(
      () => t.post({ max_tokens: 1 }),
      ({ status }) => status === 200,
    );
    // 128 times a thousand tokens take far longer.
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
