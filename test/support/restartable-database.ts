import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@heddle/database';
import { DISPOSABLE_SETTINGS, type EmbeddedPostgres, startEmbeddedPostgres } from '@heddle/embedded-postgres';
import pg from 'pg';
import type { TestDatabase } from './database.js';
import { TcpProxy } from './tcp-proxy.js';

/** A killed server loses what it has not handed to the operating system; that itself goes on, so nothing waits for the disk. */
const SETTINGS = { ...DISPOSABLE_SETTINGS, synchronous_commit: 'on' };

/** A migrated database on a server of its own, which may crash: its address outlives it. */
export class RestartableDatabase implements TestDatabase {
  private constructor(
    private readonly directory: string,
    private server: EmbeddedPostgres,
    private readonly proxy: TcpProxy,
    readonly url: string,
    readonly pool: pg.Pool,
  ) {}

  static async start(): Promise<RestartableDatabase> {
    const directory = await mkdtemp(join(tmpdir(), 'heddle-restart-'));
    const server = await startServer(directory);
    const proxy = new TcpProxy(new URL(server.url));
    const url = await proxy.start();
    await migrate(url);
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    pool.on('error', () => undefined);
    return new RestartableDatabase(directory, server, proxy, url, pool);
  }

  /** Of the server's first process, whose children the others are. */
  get pid(): number {
    return this.server.pid;
  }

  /** Ends the server without a farewell: SIGQUIT is an immediate shutdown, of SIGKILL it knows nothing. */
  async crash(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    process.kill(this.server.pid, signal);
    await this.server.exited;
  }

  /** After a crash: starts it again, with what was committed. */
  async recover(): Promise<void> {
    this.server = await startServer(this.directory);
    this.proxy.leadTo(new URL(this.server.url));
  }

  async drop(): Promise<void> {
    await this.pool.end();
    await this.proxy.refuse();
    await this.server.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

const startServer = (directory: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDir: join(directory, 'postgres'), settings: SETTINGS });
