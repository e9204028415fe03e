import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../support/free-port.mjs';

/** A redis-server of the test's own on loopback, without persistence. */
export class RedisServer {
  private constructor(
    private readonly port: number,
    private readonly directory: string,
  ) {}

  private end: () => Promise<void> = async () => {};

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), await mkdtemp(join(tmpdir(), 'heddle-redis-')));
    await server.resume();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it again after `stop`, on the same port and empty. */
  async resume(): Promise<void> {
    const place = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.directory];
    const child = spawn('redis-server', [...place, '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
    const gone = new Promise<void>((resolve, reject) => child.once('exit', () => resolve()).once('error', reject));
    this.end = async () => {
      child.kill('SIGKILL');
      await gone;
    };
    const client = new Redis(this.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    await Promise.race([client.ping(), gone.then(() => Promise.reject(new Error('redis-server ended at start')))]);
    client.disconnect();
  }

  async stop(): Promise<void> {
    await this.end();
    this.end = async () => {};
  }

  /** Ends it for good. */
  async remove(): Promise<void> {
    await this.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}
