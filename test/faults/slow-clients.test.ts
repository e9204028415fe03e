import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GivenUser } from '../support/given.js';
import { startApi, type TestApi } from '../support/api.js';

const SOCKETS = 200;
/** A byte a second never stalls: it ends when the whole request has taken too long, in minutes. */
const PATIENT = process.env['CI_FULL'] === '1';

/** A connection that is told what to say, and remembers what came back. */
class SlowClient {
  answer = '';
  readonly ended: Promise<void>;
  private drops?: NodeJS.Timeout;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.answer += chunk.toString()));
    socket.on('error', () => undefined);
    this.ended = new Promise((resolve) => socket.once('close', () => resolve()));
    void this.ended.then(() => clearInterval(this.drops));
  }

  static async connect(port: number, first: string): Promise<SlowClient> {
    const socket = connect(port, '127.0.0.1');
    const client = new SlowClient(socket);
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write(first);
    return client;
  }

  /** From now on a byte a second. */
  drip(byte: string): this {
    this.drops = setInterval(() => this.socket.write(byte), 1000);
    return this;
  }
}

describe('clients that send a byte a second', () => {
  let api: TestApi;
  let user: GivenUser & { entity: string };
  let port: number;
  const clients: SlowClient[] = [];
  beforeAll(async () => {
    api = await startApi();
    user = await api.given.member();
    port = Number(new URL(api.url).port);
  });
  afterAll(async () => {
    for (const { socket } of clients) socket.destroy();
    await api.close();
  });

  const head = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${user.key}\r\ncontent-type: application/json\r\n`;
  async function many(first: string, byte: string): Promise<SlowClient[]> {
    const made = await Promise.all(Array.from({ length: SOCKETS }, () => SlowClient.connect(port, first)));
    clients.push(...made);
    return made.map((client) => client.drip(byte));
  }

  it('stop nobody else, and end with a 408 once they stop', async () => {
    const inBodies = [
      ...(await many(`${head('/v1/projects')}content-length: 100000\r\n\r\n{`, ' ')),
      ...(await many(`${head('/call/upsert_batch')}content-length: 100000\r\n\r\n{`, ' ')),
    ];
    const inHeads = await many(`${head('/v1/projects')}x-slow: `, 'x');
    const silent = await SlowClient.connect(port, `${head('/v1/projects')}content-length: 100\r\n\r\n{"name":`);
    clients.push(silent);

    for (let i = 0; i < 50; i++) {
      const name = `project-${i}`;
      const body = JSON.stringify({ entity: user.entity, name });
      const headers = { ...user.bearer, 'content-type': 'application/json' };
      const created = await fetch(`${api.url}/v1/projects`, { method: 'POST', headers, body });
      expect(created.status).toBe(201);
      const read = await fetch(`${api.url}/v1/projects/${user.entity}/${name}`, { headers });
      expect(read.status).toBe(200);
    }
    await silent.ended;
    expect(silent.answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*"code":"request_timeout"/i);
    // They were there all the time.
    for (const { socket, answer } of [...inBodies, ...inHeads]) expect([socket.destroyed, answer]).toEqual([false, '']);
    if (!PATIENT) return;
    for (const client of [...inBodies, ...inHeads]) {
      await client.ended;
      expect(client.answer).toMatch(/^HTTP\/1\.1 408 /);
    }
  }, 600_000);
});
