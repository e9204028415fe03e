import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { streamLines } from '../../../../libs/tracing/src/request/streamed-lines.js';
import { ClientLeftError } from '@heddle/http';

describe('A client that takes nothing of its answer', () => {
  it('is disconnected, and what it held is free', async () => {
    let freed = false;
    const endless = async function* (): AsyncGenerator<Buffer> {
      try {
        for (;;) yield Buffer.alloc(1024 * 1024);
      } finally {
        freed = true;
      }
    };
    const app = express();
    const answered = new Promise<unknown>((resolve) => {
      app.get('/', (_request, response) => {
        void streamLines(endless(), response, 100).catch(resolve);
      });
    });
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    // Nothing reads what comes: it fills the buffers of both ends.
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const outcome = await answered;
    client.destroy();
    server.close();
    expect(outcome).toBeInstanceOf(ClientLeftError);
    expect(freed).toBe(true);
  });
});
