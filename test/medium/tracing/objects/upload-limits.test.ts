import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import type { ArgumentsHost } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import express from 'express';
import { ErrorFilter } from '@heddle/http';
import { withUpload } from '../../../../libs/tracing/src/files/uploads.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { eventually } from '../../../support/eventually.js';
import type { GivenUser } from '../../../support/given.js';

const KIB = 1024;
const MIB = KIB * KIB;
const MAX_BYTES = 64 * KIB;
const FORM = 'content-type: multipart/form-data; boundary=edge';
const CHUNKED = 'transfer-encoding: chunked';

const part = (name: string): string => `--edge\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n`;
const chunk = (content: string): string => `${Buffer.byteLength(content).toString(16)}\r\n${content}\r\n`;
const left = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('heddle-upload-'));

interface Conversation {
  answer: string;
  /** What the client could send before the connection ended. */
  sent: number;
  error?: string;
}

/** A client that goes on sending, whatever is answered, until the connection ends. */
const sendOn = (port: number, head: string[], begin: string, more: string): Promise<Conversation> =>
  new Promise((resolve) => {
    const conversation: Conversation = { answer: '', sent: 0 };
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${['POST /file/create HTTP/1.1', 'host: x', ...head].join('\r\n')}\r\n\r\n${begin}`);
      const writeOn = (): void => {
        if (!socket.writable) return;
        conversation.sent += more.length;
        socket.write(more, () => setImmediate(writeOn));
      };
      writeOn();
    });
    socket.on('data', (data) => (conversation.answer += data.toString()));
    socket.on('error', (error) => (conversation.error = error.message));
    socket.once('end', () => socket.destroy());
    socket.once('close', () => resolve(conversation));
  });

describe('a form that is larger than may be', () => {
  let server: Server;
  let port: number;
  let received: number;

  beforeAll(async () => {
    const filter = new ErrorFilter();
    const app = express();
    app.use((request: Request, response: Response) => {
      const http = { getRequest: () => request, getResponse: () => response };
      withUpload(request, ({ sizeBytes }) => Promise.resolve(sizeBytes), MAX_BYTES)
        .then((size) => response.json({ size }))
        .catch((error: unknown) => filter.catch(error, { switchToHttp: () => http } as unknown as ArgumentsHost))
        .finally(() => (received = request.socket.bytesRead));
    });
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const tooLarge = /^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*file_too_large/i;

  it('is taken up to the limit', async () => {
    const body = new FormData();
    body.set('file', new Blob([Buffer.alloc(MAX_BYTES)]));
    const answer = await fetch(`http://127.0.0.1:${port}/file/create`, { method: 'POST', body });
    expect(await answer.json()).toEqual({ size: MAX_BYTES });
  });

  it.each([
    ['its file', 'file', MIB],
    ['what is no file of its', 'other', 4 * MIB],
  ])('is refused as soon as %s passes the limit, and nobody waits for the rest', async (_what, name, enough) => {
    const [begin, more] = [chunk(part(name)), chunk('x'.repeat(16 * KIB))];
    const { answer, error } = await sendOn(port, [FORM, CHUNKED], begin, more);
    expect([answer, error]).toEqual([expect.stringMatching(tooLarge), undefined]);
    expect(received).toBeLessThan(enough);
    await eventually(left, ({ length }) => length === 0);
  });

  it('is refused before it comes when its length is announced', async () => {
    const head = [FORM, `content-length: ${MAX_BYTES + 3 * MIB}`];
    const { answer, error } = await sendOn(port, head, part('file'), 'x'.repeat(16 * KIB));
    expect([answer, error]).toEqual([expect.stringMatching(tooLarge), undefined]);
    expect(received).toBeLessThan(MIB);
  });

  it('is refused for what is wrong with it, too, before all of it has come', async () => {
    const begin = chunk('--edge\r\nno header at all\r\n\r\n');
    const { answer, error } = await sendOn(port, [FORM, CHUNKED], begin, chunk('x'.repeat(16 * KIB)));
    expect([answer, error]).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 4(13|22) [\s\S]*connection: close/i),
      undefined,
    ]);
  });
});

describe('uploads over the API', () => {
  let api: TestApi;
  let member: GivenUser & { entity: string };
  beforeAll(async () => {
    api = await startApi();
    member = await api.given.member();
  });
  afterAll(() => api.close());

  const send = (head: string[], begin = ''): Promise<Conversation> =>
    sendOn(Number(new URL(api.url).port), [FORM, ...head], begin, 'x'.repeat(16 * KIB));

  it('that are announced as more than 1 GiB are refused before they come', async () => {
    const { answer } = await send([`authorization: ${member.basic.authorization}`, `content-length: ${1100 * MIB}`]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*file_too_large/i);
  });

  it('of who has no key are not waited for either', async () => {
    const { answer } = await send(['authorization: Basic eDp5', `content-length: ${100 * MIB}`]);
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: close/i);
  });

  it('of training data that are announced as more than 1 GiB are refused before they come', async () => {
    const { port } = new URL(api.url);
    const made = await fetch(`${api.url}/v1/preview/models`, {
      method: 'POST',
      headers: { ...member.bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ project: 'demo', name: 'facts', base_model: 'heddle/shuttle-1m' }),
    });
    const { id } = (await made.json()) as { id: string };
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(
          `POST /v1/preview/sft-training-jobs/upload?model_id=${id} HTTP/1.1\r\nhost: x\r\nauthorization: ${member.bearer.authorization}\r\n` +
            `content-length: ${1100 * MIB}\r\n\r\n{"messages"`,
        ),
      );
      socket.on('data', (data) => (text += data.toString()));
      socket.once('end', () => socket.destroy());
      socket.once('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*file_too_large/i);
  });
});
