import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientLeft } from '@heddle/http';
import express from 'express';
import { sendEvents } from '../../../libs/inference/src/answer/send-events.js';

const PIECE = `data: ${'x'.repeat(100_000)}\n\n`;

describe('a stream whose client takes nothing', () => {
  const app = express();
  const server = createServer(app);
  let client: Socket;
  let made = 0;
  let freed = false;
  let stallMs = 0;
  const endless = async function* (): AsyncGenerator<string> {
    try {
      for (;;) {
        made++;
        yield PIECE;
        await sleep(0);
      }
    } finally {
      freed = true;
    }
  };
  app.get('/', (_request, response) => {
    void sendEvents(endless(), response, clientLeft(response), stallMs);
  });

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    [made, freed] = [0, false];
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    // Nothing reads what comes: it fills the buffers of both ends.
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  });
  afterEach(() => {
    client.destroy();
  });
  afterAll(() => {
    server.close();
  });

  it('is asked for no more than the buffers hold, and goes on when the client does', async () => {
    stallMs = 60_000;
    let before = -1;
    while (made !== before) {
      before = made;
      await sleep(300);
    }
    // 20 MB, far more than any socket buffers.
    expect(before).toBeLessThan(200);
    client.resume();
    while (made < before + 20) await sleep(20);
    client.destroy();
    while (!freed) await sleep(20);
  });

  it('is disconnected after a while, and what it held is free', async () => {
    stallMs = 100;
    while (!freed) await sleep(20);
    client.resume();
    await once(client, 'close');
  });
});
