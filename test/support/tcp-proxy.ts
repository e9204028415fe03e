import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.mjs';

/**
 * Stands between a program and its server on loopback, so that a test can stop the server as the program sees it:
 * `refuse` drops every connection and takes no new one, `hang` takes them and says nothing.
 */
export class TcpProxy {
  private server?: Server;
  private readonly sockets = new Set<Socket>();
  private hanging = false;
  private port = 0;

  /** `url` names the server. */
  constructor(private url: URL) {}

  /** The server's URL with the proxy's address in it. */
  async start(): Promise<string> {
    this.port = await freePort();
    await this.pass();
    const url = new URL(this.url);
    url.port = String(this.port);
    return url.href;
  }

  /** Connections from now on go to this server, which took the place of the one before. */
  leadTo(url: URL): void {
    this.url = url;
  }

  async pass(): Promise<void> {
    await this.refuse();
    this.hanging = false;
    await this.listen();
  }

  async refuse(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => (this.server ? this.server.close(() => resolve()) : resolve()));
    this.server = undefined;
  }

  /** Open connections fall silent too. */
  hang(): void {
    this.hanging = true;
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  private async listen(): Promise<void> {
    const server = createServer((client) => this.accept(client));
    await new Promise<void>((resolve, reject) => server.listen(this.port, '127.0.0.1', resolve).once('error', reject));
    this.server = server;
  }

  private accept(client: Socket): void {
    this.track(client);
    if (this.hanging) return void client.pause();
    const upstream = connect(Number(this.url.port), this.url.hostname);
    this.track(upstream);
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
  }
}
