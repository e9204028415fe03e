import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Somebody's endpoint, on loopback. */
export class Receiver {
  readonly requests: ReceivedRequest[] = [];
  /** TCP connections, whatever came over them. */
  connections = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param answer answers each request; without it, 204 */
  static async start(
    answer: (response: ServerResponse, request: ReceivedRequest) => void = (response) =>
      void response.writeHead(204).end(),
    { tls, host = '127.0.0.1' }: { tls?: { key: string; cert: string }; host?: string } = {},
  ): Promise<Receiver> {
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const received = { method, url, headers, body: Buffer.concat(chunks) };
        receiver.requests.push(received);
        answer(response, received);
      });
    };
    const server = tls ? createTlsServer(tls, listener) : createServer(listener);
    const receiver = new Receiver(server, await listen(server, host));
    server.on('connection', () => receiver.connections++);
    return receiver;
  }

  get last(): ReceivedRequest {
    return this.requests.at(-1)!;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    (this.server as ReturnType<typeof createServer>).closeAllConnections();
    await closed;
  }
}

export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}
