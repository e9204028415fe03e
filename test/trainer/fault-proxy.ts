import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a request instead of what the server does with it. */
export type Fault =
  /** No answer, ever. */
  | { kind: 'hang' }
  /** The connection breaks before the server hears of it, or after it has done what it was asked. */
  | { kind: 'cut'; when: 'before' | 'after' }
  | { kind: 'status'; status: number; body?: unknown }
  /** Another answer than the server's. */
  | { kind: 'lie'; lie: (answer: unknown) => unknown }
  /** So many bytes of the answer, and no more. */
  | { kind: 'half'; bytes: number };

/** Stands in front of a real server, and spoils what it is told to. */
export class FaultProxy {
  private faults: { path: RegExp; left: number; fault: Fault }[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.handle(request, response));
  }

  static async start(target: string): Promise<FaultProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultProxy(server, target);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Spoils the next requests of a path. @param times how many; default all */
  spoil(path: RegExp, fault: Fault, times = Infinity): void {
    this.faults.push({ path, fault, left: times });
  }

  heal(): void {
    this.faults = [];
    this.server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const fault = this.faultFor(request.url!);
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'cut' && fault.when === 'before') return void request.socket.destroy();
    if (fault?.kind === 'status') return void response.writeHead(fault.status).end(JSON.stringify(fault.body ?? {}));
    const answer = await this.forward(request, Buffer.concat(chunks)).catch(() => null);
    if (answer === null || fault?.kind === 'cut') return void request.socket.destroy();
    const { status, type, body } = answer;
    const headers = { 'content-type': type };
    if (fault?.kind === 'lie') {
      const told = fault.lie(JSON.parse(body.toString()));
      return void response.writeHead(status, headers).end(typeof told === 'string' ? told : JSON.stringify(told));
    }
    if (fault?.kind !== 'half') return void response.writeHead(status, headers).end(body);
    response.writeHead(status, { ...headers, 'content-length': body.length });
    response.write(body.subarray(0, fault.bytes), () => request.socket.destroy());
  }

  private async forward(
    request: IncomingMessage,
    body: Buffer,
  ): Promise<{ status: number; type: string; body: Buffer }> {
    const answer = await fetch(`${this.target}${request.url}`, {
      method: request.method!,
      headers: {
        'content-type': request.headers['content-type'] ?? '',
        'x-api-key': String(request.headers['x-api-key']),
      },
      ...(request.method === 'GET' ? {} : { body: new Uint8Array(body) }),
    });
    const type = answer.headers.get('content-type') ?? '';
    return { status: answer.status, type, body: Buffer.from(await answer.arrayBuffer()) };
  }

  private faultFor(path: string): Fault | null {
    const found = this.faults.find((one) => one.left > 0 && one.path.test(path));
    if (!found) return null;
    found.left -= 1;
    return found.fault;
  }
}
