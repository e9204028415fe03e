import { createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Masker } from '@heddle/secrets';
import type { Attempt } from '@heddle/webhooks';
import { TestAuthority } from './certificates.js';
import { listen, Receiver } from '../../support/receiver.js';
import { senderOf, TestNames } from './senders.js';

const NAMES = { 'receiver.test': ['127.0.0.1'] };
const SHORT = { total: 500, connect: 250 };
const HOUR = { total: 3_600_000, connect: 3_600_000 };

describe('WebhookSender', () => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function receiver(...parameters: Parameters<typeof Receiver.start>): Promise<Receiver> {
    const started = await Receiver.start(...parameters);
    closers.push(() => started.close());
    return started;
  }

  /** A server that speaks no HTTP of Node's. */
  async function rawServer(onConnection: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      onConnection(socket);
    });
    closers.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    });
    return listen(server);
  }

  const send = (port: number, more: object = {}): Promise<Attempt> =>
    senderOf().send({
      url: `http://127.0.0.1:${port}/hook?a=1`,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"a":"é"}'),
      timeouts: HOUR,
      ...more,
    });

  it('sends one request, and shows the answer', async () => {
    const { port, requests } = await receiver((response) =>
      response.writeHead(201, { 'x-id': '7', 'set-cookie': ['a=1', 'b=2'], 'retry-after': '30' }).end('créé'),
    );
    const attempt = await send(port);
    expect(attempt).toEqual({
      outcome: 'delivered',
      status: 201,
      headers: expect.objectContaining({ 'x-id': '7', 'set-cookie': 'a=1, b=2' }),
      body: 'créé',
      errorCode: null,
      error: null,
      retryAfterSeconds: 30,
      durationMs: expect.any(Number),
      remoteAddress: '127.0.0.1',
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/hook?a=1', body: Buffer.from('{"a":"é"}') });
    expect(requests[0]!.headers).toMatchObject({
      host: `127.0.0.1:${port}`,
      'content-type': 'application/json',
      'content-length': '10',
      connection: 'close',
    });
  });

  it.each([200, 202, 204, 299])('takes %d, without a body too, for a success', async (status) => {
    const { port } = await receiver((response) => response.writeHead(status).end());
    expect(await send(port)).toMatchObject({ outcome: 'delivered', status, body: '', errorCode: null });
  });

  it.each([400, 404, 410, 429, 500, 503])('takes %d for a failure', async (status) => {
    const { port } = await receiver((response) => response.writeHead(status, { 'retry-after': '90' }).end('no'));
    expect(await send(port)).toMatchObject({
      outcome: 'failed',
      status,
      body: 'no',
      errorCode: 'http_error',
      retryAfterSeconds: 90,
    });
  });

  it.each([301, 302, 303, 307, 308])('never follows a redirect (%d)', async (status) => {
    const elsewhere = await receiver();
    const location = `http://127.0.0.1:${elsewhere.port}/`;
    const { port } = await receiver((response) => response.writeHead(status, { location }).end());
    expect(await send(port)).toMatchObject({ outcome: 'failed', status, errorCode: 'redirect' });
    expect(elsewhere.connections).toBe(0);
  });

  it('keeps 16 KiB of an endless answer, and hangs up', async () => {
    let written = 0;
    const ended = new Promise<void>((resolve) => {
      void receiver((response) => {
        const pour = (): void => {
          while (!response.destroyed && response.write('é'.repeat(32_768))) written += 65_536;
          written += 65_536;
        };
        response.on('drain', pour).on('close', resolve);
        pour();
      }).then(async ({ port }) => {
        const attempt = await send(port);
        expect(attempt).toMatchObject({ outcome: 'delivered', status: 200 });
        expect(attempt.body).toBe('é'.repeat(8192));
      });
    });
    await ended;
    // What the sockets' buffers hold, and no more.
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  it('keeps whole characters of what it cuts', async () => {
    const { port } = await receiver((response) => response.end(`x${'é'.repeat(20_000)}`));
    expect((await send(port)).body).toBe(`x${'é'.repeat(8191)}`);
  });

  it('masks secrets in what comes back, also where the answer was cut', async () => {
    const secret = 'correct-horse-battery';
    const masker = new Masker([secret]);
    const echo = await receiver((response) =>
      response.writeHead(401, { 'x-echo': `Bearer ${secret}` }).end(`"${secret}"`),
    );
    expect(await send(echo.port, { masker })).toMatchObject({
      headers: { 'x-echo': 'Bearer ***' },
      body: '"***"',
    });
    const cut = await receiver((response) => response.end('x'.repeat(16_384 - 7) + secret));
    expect((await send(cut.port, { masker })).body).toBe(`${'x'.repeat(16_384 - 7)}***`);
    const spaced = await receiver((response) => response.end([...secret].join('\0')));
    expect((await send(spaced.port, { masker })).body).toBe('***');
  });

  it('takes no longer than it may: a receiver that is silent, slow, or trickles for ever', async () => {
    const silent = await rawServer(() => undefined);
    const slow = await receiver((response) => void response.writeHead(200).write('half'));
    const trickling = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const timer = setInterval(() => socket.write('.'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const informing = await rawServer((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    for (const port of [silent, slow.port, trickling, informing]) {
      expect(await send(port, { timeouts: SHORT })).toMatchObject({
        outcome: 'failed',
        status: null,
        errorCode: 'timeout',
      });
    }
  });

  it('gives up a look-up and a handshake that take too long to connect', async () => {
    const neverNamed = { resolve: () => new Promise<string[]>(() => undefined), lookUps: [] };
    const request = { headers: {}, body: Buffer.alloc(0), timeouts: SHORT };
    const lookUp = senderOf(neverNamed as unknown as TestNames).send({ ...request, url: 'https://receiver.test/' });
    expect(await lookUp).toMatchObject({ errorCode: 'connect_timeout', remoteAddress: null });
    const silent = await rawServer(() => undefined);
    const handshake = senderOf(new TestNames(NAMES)).send({ ...request, url: `https://receiver.test:${silent}/` });
    expect(await handshake).toMatchObject({ errorCode: 'connect_timeout', outcome: 'failed' });
  });

  it('tells refused, closed and garbled connections apart', async () => {
    const closed = await Receiver.start();
    await closed.close();
    expect(await send(closed.port)).toMatchObject({ outcome: 'failed', errorCode: 'connection_refused' });
    const rude = await rawServer((socket) => socket.destroy());
    expect(await send(rude)).toMatchObject({ errorCode: 'connection_reset' });
    const half = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'));
    expect(await send(half)).toMatchObject({ errorCode: 'connection_reset', status: null });
    const garbled = await rawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    expect(await send(garbled)).toMatchObject({ errorCode: 'invalid_response' });
    const talkative = await rawServer((socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`));
    expect(await send(talkative)).toMatchObject({ errorCode: 'invalid_response' });
    const switching = await rawServer((socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    );
    expect(await send(switching)).toMatchObject({ outcome: 'failed', errorCode: 'connection_reset' });
  });

  it('tries the next address of a host where one does not answer', async () => {
    const { port, requests } = await receiver();
    const names = new TestNames({ 'receiver.test': ['127.0.0.77', '127.0.0.1'] });
    const url = `http://receiver.test:${port}/`;
    const attempt = await senderOf(names).send({ url, headers: {}, body: Buffer.alloc(0) });
    expect(attempt).toMatchObject({ outcome: 'delivered', remoteAddress: '127.0.0.1' });
    expect(requests[0]!.headers.host).toBe(`receiver.test:${port}`);
  });

  describe('over TLS', () => {
    let authority: TestAuthority;
    beforeAll(() => void (authority = new TestAuthority()));
    afterAll(() => authority.remove());

    async function sendTo(
      tls: { key: string; cert: string },
      host = 'receiver.test',
      trusting = true,
    ): Promise<Attempt> {
      const { port, requests } = await receiver(undefined, { tls });
      const sender = senderOf(
        new TestNames({ ...NAMES, 'other.test': ['127.0.0.1'] }),
        undefined,
        trusting ? authority.ca : undefined,
      );
      const attempt = await sender.send({ url: `https://${host}:${port}/`, headers: {}, body: Buffer.from('{}') });
      expect(requests).toHaveLength(attempt.outcome === 'delivered' ? 1 : 0);
      return attempt;
    }

    it('delivers where the certificate is for the host and from somebody trusted', async () => {
      expect(await sendTo(authority.issue('receiver.test'))).toMatchObject({ outcome: 'delivered', status: 204 });
    });

    it('has a code of its own for each thing that is wrong with a certificate, and sends nothing', async () => {
      const failed = (errorCode: string): object =>
        expect.objectContaining({ outcome: 'failed', status: null, errorCode });
      expect(await sendTo(authority.issue('receiver.test', -1))).toEqual(failed('tls_expired'));
      expect(await sendTo(authority.selfSigned('receiver.test'))).toEqual(failed('tls_self_signed'));
      expect(await sendTo(authority.issue('receiver.test'), 'other.test')).toEqual(failed('tls_wrong_host'));
      expect(await sendTo(authority.issue('receiver.test'), '127.0.0.1')).toEqual(failed('tls_wrong_host'));
      expect(await sendTo(authority.issue('receiver.test'), 'receiver.test', false)).toEqual(failed('tls_untrusted'));
    });

    it('knows a receiver that speaks no TLS', async () => {
      const { port } = await receiver();
      const request = { url: `https://127.0.0.1:${port}/`, headers: {}, body: Buffer.alloc(0) };
      expect(await senderOf().send(request)).toMatchObject({ outcome: 'failed', errorCode: 'tls_failed' });
    });
  });
});
