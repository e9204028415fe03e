import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.mjs';

const SHIPPED = 'deploy/pgbouncer/pgbouncer.ini';
/** PgBouncer refuses to run as root. */
const NOBODY = 65_534;

/** A PgBouncer of the test's own before a database, with the settings that are shipped. */
export class PgBouncer {
  private constructor(
    private readonly directory: string,
    private readonly port: number,
    readonly url: string,
  ) {}

  private end: () => Promise<void> = async () => {};

  static async start(database: string): Promise<PgBouncer> {
    const server = new URL(database);
    const port = await freePort();
    const url = new URL(database);
    [url.hostname, url.port] = ['127.0.0.1', String(port)];
    const bouncer = new PgBouncer(mkdtempSync(join(tmpdir(), 'heddle-pgbouncer-')), port, url.href);
    bouncer.write('users', `"${server.username}" "${decodeURIComponent(server.password).replaceAll('"', '""')}"\n`);
    bouncer.write(
      'pgbouncer.ini',
      `${readFileSync(SHIPPED, 'utf8')}
[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_file = ${join(bouncer.directory, 'users')}
`,
    );
    await bouncer.resume();
    return bouncer;
  }

  /** Starts it again after `kill`, at the same address. */
  async resume(): Promise<void> {
    const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    const ini = join(this.directory, 'pgbouncer.ini');
    const child = spawn('pgbouncer', ['-q', ini], { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    let isGone = false;
    const gone = new Promise<void>((resolve, reject) => child.once('exit', () => resolve()).once('error', reject));
    const noted = gone.finally(() => (isGone = true));
    noted.catch((error: unknown) => (said += String(error)));
    this.end = async () => {
      child.kill('SIGKILL');
      await gone;
    };
    if (!(await eventually(() => isGone || answers(this.port), Boolean)) || isGone)
      throw new Error(`pgbouncer ended at start: ${said}`);
  }

  /** Ends it with no warning: every connection over it is cut. */
  async kill(): Promise<void> {
    await this.end();
    this.end = async () => {};
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private write(name: string, text: string): void {
    const path = join(this.directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (process.getuid?.() === 0) for (const each of [this.directory, path]) chownSync(each, NOBODY, NOBODY);
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const say = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', say(true)).once('error', say(false));
  });
