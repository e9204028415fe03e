import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import express from 'express';
import type { ApiError } from '@heddle/http';
import { endIfStalled } from '../../../libs/http/src/bodies/body.guard.js';
import { readBody } from '../../../libs/http/src/bodies/read-body.js';

const STALL_SECONDS = 0.2;
const HEAD = 'POST /v1/preview/sft-training-jobs/upload HTTP/1.1\r\nhost: x\r\n';

describe('a request whose body has no end', () => {
  let server: Server;
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  async function listen(handler: RequestListener): Promise<number> {
    server = createServer(handler);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  /** What comes back until the connection ends. @param write what the client sends */
  const converse = (port: number, write: (socket: Socket) => void): Promise<string> =>
    new Promise((resolve) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => write(socket));
      socket.on('data', (data) => (answer += data.toString()));
      socket.on('error', () => undefined);
      socket.once('close', () => resolve(answer));
    });

  const reader = (): RequestListener => {
    const app = express();
    app.use((request: Request, response: Response) => {
      readBody(request, 1024, { stallSeconds: STALL_SECONDS, totalSeconds: 1 }).then(
        (body) => response.send(`${body.length} bytes`),
        ({ status, headers, code }: ApiError) => response.status(status).set(headers).send(code),
      );
    });
    return app;
  };

  it('is a 408, and the connection ends', async () => {
    const port = await listen(reader());
    const answer = await converse(port, (socket) => socket.write(`${HEAD}content-length: 10\r\n\r\nabc`));
    expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*request_timeout$/i);
  });

  it('is a 408 too when it comes drop by drop, each in time', async () => {
    const port = await listen(reader());
    const answer = await converse(port, (socket) => {
      socket.write(`${HEAD}content-length: 1000\r\n\r\n`);
      const drops = setInterval(() => socket.write('x'), 50);
      socket.once('close', () => clearInterval(drops));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is a 408 when it is an upload that its handler reads itself', async () => {
    const app = express();
    app.use((request: Request, response: Response) => {
      endIfStalled(request, response, STALL_SECONDS);
      request.resume();
    });
    const answer = await converse(await listen(app), (socket) => socket.write(`${HEAD}content-length: 10\r\n\r\nabc`));
    expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*"code":"request_timeout"/i);
  });
});
