import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RemoteHttp } from '../../../libs/engine/src/remote/remote-http.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

describe('asking a server on another machine', () => {
  const servers: Server[] = [];
  const serve = async (handler: Handler): Promise<string> => {
    const server = createServer(handler).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const remote = (url: string) => new RemoteHttp({ url, headers: { 'x-api-key': 'secret' }, name: 'the trainer' });
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('sends the key, also to another path of the same host, and to no other host', async () => {
    const seen: (string | string[] | undefined)[] = [];
    const elsewhere = await serve(
      ({ headers }, response) => (seen.push(headers['x-api-key']), response.end('"there"')),
    );
    const url = await serve(({ url: path, headers }, response) => {
      seen.push(headers['x-api-key']);
      if (path === '/file') response.end('"here"');
      else response.writeHead(302, { location: path === '/near' ? '/file' : `${elsewhere}/file` }).end();
    });
    expect(await remote(url).json('GET', 'near')).toBe('here');
    expect(await remote(url).json('GET', 'far')).toBe('there');
    expect(seen).toEqual(['secret', 'secret', 'secret', undefined]);
  });

  it('waits out what passes, and tells what does not', async () => {
    let asked = 0;
    const url = await serve((_, response) => {
      asked += 1;
      response.writeHead(asked < 3 ? 503 : 200).end('{"ok": true}');
    });
    expect(await remote(url).json('GET', 'x')).toEqual({ ok: true });
    expect(asked).toBe(3);
    const refusing = await serve((_, response) => response.writeHead(422).end('{"detail": "no"}'));
    await expect(remote(refusing).json('GET', 'x')).rejects.toMatchObject({ code: 'bad_answer', status: 422 });
  });

  it('never sends again what must not be done twice, once it may have arrived', async () => {
    let asked = 0;
    const url = await serve((request) => {
      asked += 1;
      request.socket.destroy();
    });
    const options = { body: {}, repeatable: false };
    await expect(remote(url).json('POST', 'x', options)).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toBe(1);
  });

  it('gives up on a server that does not answer, and on one that is not there', async () => {
    const silent = await serve(() => undefined);
    const options = { timeoutMs: 100, patienceMs: 0 };
    const problem = (url: string) => expect(remote(url).json('GET', 'x', options)).rejects;
    await problem(silent).toMatchObject({ message: expect.stringContaining("doesn't answer") });
    const gone = await serve(() => undefined);
    servers.pop()!.close();
    await problem(gone).toMatchObject({ message: expect.stringContaining("can't be reached") });
  });

  it('ends at once when it is cancelled, also while it waits to ask again', async () => {
    const url = await serve((_, response) => response.writeHead(503).end());
    const controller = new AbortController();
    const asked = remote(url).json('GET', 'x', { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
  });
});
