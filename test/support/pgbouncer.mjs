import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.mjs';

const SHIPPED = new URL('../../deploy/pgbouncer/pgbouncer.ini', import.meta.url);
/** PgBouncer refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? 65_534 : undefined;

/** A PgBouncer of the test's own before a database, with the settings that are shipped. */
export class PgBouncer {
  #directory = mkdtempSync(join(tmpdir(), 'heddle-pgbouncer-'));
  #port;
  #end = async () => {};

  constructor(database, port) {
    const { hostname, port: itsPort, username, password } = new URL(database);
    this.#port = port;
    this.url = Object.assign(new URL(database), { hostname: '127.0.0.1', port: String(port) }).href;
    const secret = decodeURIComponent(password).replaceAll('"', '""');
    const users = this.#write('users', `"${username}" "${secret}"\n`);
    this.#write(
      'pgbouncer.ini',
      `${readFileSync(SHIPPED, 'utf8')}
[databases]
* = host=${hostname} port=${itsPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_file = ${users}
`,
    );
  }

  static async start(database) {
    const bouncer = new PgBouncer(database, await freePort());
    await bouncer.resume();
    return bouncer;
  }

  async resume() {
    const account = NOBODY === undefined ? {} : { uid: NOBODY, gid: NOBODY };
    const stdio = ['ignore', 'ignore', 'pipe'];
    const child = spawn('pgbouncer', ['-q', join(this.#directory, 'pgbouncer.ini')], { ...account, stdio });
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    let isGone = false;
    const gone = once(child, 'exit')
      .catch((error) => (said += error))
      .finally(() => (isGone = true));
    this.#end = async () => {
      child.kill('SIGKILL');
      await gone;
    };
    while (!isGone && !(await answers(this.#port))) await pause(20);
    if (isGone) throw new Error(`pgbouncer ended at start: ${said}`);
  }

  async kill() {
    await this.#end();
  }

  async remove() {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #write(name, text) {
    const path = join(this.#directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (NOBODY !== undefined) for (const each of [this.#directory, path]) chownSync(each, NOBODY, NOBODY);
    return path;
  }
}

const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const say = (answer) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', say(true)).once('error', say(false));
  });
