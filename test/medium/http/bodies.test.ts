import { connect } from 'node:net';
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
      code: 'not_found',
    });
    expect(await (await fetch(`${api.url}/nothing`)).json()).toMatchObject({
      reason: expect.any(String),
      code: 'not_found',
    });
    expect(await (await fetch(`${api.url}/v1/chat/completions`)).json()).toMatchObject({
      error: { code: 'not_found' },
    });
  });

  it('is the same under /traces', async () => {
    expect(await (await fetch(`${api.url}/traces/health`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`${api.url}/traces/call/read`, { method: 'POST' })).status).toBe(401);
  });
});
