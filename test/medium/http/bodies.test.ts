import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';

const MIB = 1024 * 1024;

describe('request bodies', () => {
  let api: TestApi;
  let user: GivenUser & { entity: string };
  beforeAll(async () => {
    api = await startApi();
    user = await api.given.member();
  }, 60_000);
  afterAll(() => api.close());

  const read = (
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = {},
    url = '/call/read',
  ): Promise<Response> => fetch(`${api.url}${url}`, { method: 'POST', headers: { ...user.basic, ...headers }, body });
  const question = (): string => JSON.stringify({ project_id: `${user.entity}/none`, id: 'x' });

  it('are read as JSON whatever their content type says', async () => {
    for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
      expect((await read(question(), { 'content-type': type })).status).toBe(200);
    }
    expect((await read(new Blob([question()]))).status).toBe(200);
  });

  it('may be compressed', async () => {
    expect((await read(gzipSync(question()), { 'content-encoding': 'gzip' })).status).toBe(200);
  });

  it('may come in chunks, with no length', async () => {
    const stream = new Blob([question()]).stream();
    const response = await fetch(`${api.url}/call/read`, {
      method: 'POST',
      headers: user.basic,
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(200);
  });

  it('of 32 MiB are taken by the tracing routes', async () => {
    const body = `{"batch": []${' '.repeat(32 * MIB)}}`;
    expect((await read(body, {}, '/call/upsert_batch')).status).toBe(200);
  });

  it('over the limit are refused with 413, plain, chunked or compressed', async () => {
    const large = `{"name": "${'x'.repeat(3 * MIB)}"}`;
    const send = (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${api.url}/v1/api-keys`, { method: 'POST', headers: { ...user.bearer, ...headers }, body });
    for (const response of [await send(large), await send(gzipSync(large), { 'content-encoding': 'gzip' })]) {
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ code: 'payload_too_large' });
    }
  });

  interface Conversation {
    answer: string;
    /** What the client met with before it had the whole answer. */
    error?: string;
  }

  /** What the server answers on a connection until it ends it; the client reads late, when all that it writes is written. */
  async function converse(head: string, more: (socket: Socket) => void = () => undefined): Promise<Conversation> {
    return new Promise((resolve) => {
      const conversation: Conversation = { answer: '' };
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => {
        socket.write(
          `POST /v1/api-keys HTTP/1.1\r\nauthorization: ${user.bearer.authorization}\r\nhost: x\r\n${head}\r\n\r\n`,
        );
        more(socket);
      });
      socket.on('data', (data) => (conversation.answer += data.toString()));
      socket.on('error', (error) => (conversation.error = error.message));
      socket.once('end', () => socket.destroy());
      socket.once('close', () => resolve(conversation));
    });
  }

  it('that are announced as too large are refused before they come, and the connection ends', async () => {
    const { answer, error } = await converse(`content-length: ${50 * MIB}`);
    expect([answer, error]).toEqual([expect.stringMatching(/^HTTP\/1\.1 413 [\s\S]*payload_too_large/), undefined]);
  });

  const chunk = `${(64 * 1024).toString(16)}\r\n${' '.repeat(64 * 1024)}\r\n`;

  it('without an end are refused when the limit is passed, and who still sends reads the whole answer', async () => {
    const { answer, error } = await converse('transfer-encoding: chunked', (socket) => {
      const writeOn = (): void => void (socket.writable && socket.write(chunk, () => setImmediate(writeOn)));
      writeOn();
    });
    expect([answer, error]).toEqual([expect.stringMatching(/^HTTP\/1\.1 413 [\s\S]*payload_too_large/), undefined]);
  });

  it('that are sent to their end before the answer is read are no reason to lose it', async () => {
    for (const head of ['transfer-encoding: chunked', `content-length: ${20 * MIB}`]) {
      const { answer, error } = await converse(head, (socket) => {
        socket.pause();
        socket.write(head.startsWith('c') ? ' '.repeat(20 * MIB) : `${chunk.repeat(320)}0\r\n\r\n`, () =>
          socket.resume(),
        );
      });
      expect([answer, error]).toEqual([expect.stringMatching(/^HTTP\/1\.1 413 [\s\S]*payload_too_large/), undefined]);
    }
  });

  it('over the limit of a stream of fetch end with the answer, every time', async () => {
    for (let i = 0; i < 5; i++) {
      const body = new Blob([' '.repeat(10 * MIB)]).stream();
      const init = { method: 'POST', headers: user.bearer, body, duplex: 'half' } as RequestInit;
      const response = await fetch(`${api.url}/v1/api-keys`, init);
      expect([response.status, await response.json()]).toMatchObject([413, { code: 'payload_too_large' }]);
    }
  });

  it.each([
    ['nested deeper than 100', `{"name": ${'['.repeat(101)}${']'.repeat(101)}}`, 'json_too_large'],
    ['of more than 100,000 values', `{"name": [${'{},'.repeat(100_000)}{}]}`, 'json_too_large'],
    ['of more than 1,000 fields', `{${Array.from({ length: 1001 }, (_, n) => `"f${n}": 1`).join()}}`, 'json_too_large'],
    ['with NaN', '{"name": NaN}', 'json_invalid'],
    ['that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'json_invalid'],
  ])('%s are refused', async (_, body, type) => {
    const response = await fetch(`${api.url}/v1/api-keys`, { method: 'POST', headers: user.bearer, body });
    expect([response.status, await response.json()]).toMatchObject([422, { detail: [{ loc: ['body'], type }] }]);
  });

  it('that are no UTF-8 are kept by the tracing routes, with the bad bytes replaced', async () => {
    const call = `{"project_id": "${user.entity}/bytes", "id": "c", "op_name": "op", "trace_id": "t", "started_at": "2026-01-01T00:00:00Z",
      "attributes": {}, "inputs": {"text": "a?b"}}`;
    const body = Buffer.from(`{"start": ${call}}`);
    body[body.indexOf('?')] = 0xff;
    expect((await read(body, {}, '/call/start')).status).toBe(200);
    const stored = await read(JSON.stringify({ project_id: `${user.entity}/bytes`, id: 'c' }));
    expect(await stored.json()).toMatchObject({ call: { inputs: { text: 'a\ufffdb' } } });
  });

  it('that are no JSON name the place', async () => {
    const response = await read('{"project_id": ');
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['body'], type: 'json_invalid' }] });
  });

  it('with an unknown encoding are refused', async () => {
    expect((await read(question(), { 'content-encoding': 'zstd9' })).status).toBe(415);
  });

  it('are not read before the key is checked', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
      socket.once('data', (data) => resolve(data.toString()));
      socket.once('error', reject);
      // A body is announced and never sent.
      socket.write(`POST /call/upsert_batch HTTP/1.1\r\nhost: x\r\ncontent-length: ${50 * MIB}\r\n\r\n`);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toMatch(/www-authenticate: basic/i);
  });

  it('that break off leave the server as it was', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => {
        const head = `authorization: ${user.basic.authorization}\r\nhost: x\r\ncontent-length: ${5 * MIB}`;
        socket.write(`POST /call/upsert_batch HTTP/1.1\r\n${head}\r\n\r\n{"batch": [`, () => socket.destroy());
      });
      socket.once('close', () => resolve());
    });
    expect((await read(question())).status).toBe(200);
  });
});

describe('every answer', () => {
  let api: TestApi;
  beforeAll(async () => (api = await startApi()), 60_000);
  afterAll(() => api.close());

  it('carries a request id: the caller’s own if it is a sane one', async () => {
    const own = await fetch(`${api.url}/health/live`, { headers: { 'x-request-id': 'trace-7' } });
    expect(own.headers.get('x-request-id')).toBe('trace-7');
    const odd = await fetch(`${api.url}/health/live`, { headers: { 'x-request-id': 'a b<script>' } });
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('to an unknown route is a 404 in the form of its neighbours', async () => {
    expect(await (await fetch(`${api.url}/v1/nothing`)).json()).toMatchObject({
      detail: expect.any(String),
      code: 'route_not_found',
    });
    expect(await (await fetch(`${api.url}/nothing`)).json()).toMatchObject({
      reason: expect.any(String),
      code: 'route_not_found',
    });
    expect(await (await fetch(`${api.url}/v1/chat/completions`)).json()).toMatchObject({
      error: { code: 'route_not_found' },
    });
  });

  it('is the same under /traces', async () => {
    expect(await (await fetch(`${api.url}/traces/health`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`${api.url}/traces/call/read`, { method: 'POST' })).status).toBe(401);
  });
});
