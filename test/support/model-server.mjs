import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.mjs';

const START_MS = 300_000;

/** Somebody else's server of models, in Python, with a folder and a port of its own. */
export class ModelServer {
  #process;
  #healthPath;

  /** @param {string} name for errors @param {string} healthPath what answers once it serves */
  constructor(name, healthPath) {
    this.name = name;
    this.#healthPath = healthPath;
    this.folder = mkdtempSync(join(tmpdir(), `heddle-${name.toLowerCase()}-`));
  }

  get log() {
    return readFileSync(join(this.folder, 'log'), 'utf8');
  }

  /** Runs a module, and waits until it serves. Host and port are added to the arguments. */
  async run(python, module, args, variables) {
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    const all = ['-m', module, ...args, '--host', '127.0.0.1', '--port', String(port)];
    const env = { ...process.env, ...variables };
    // A group of its own, so that its workers end with it.
    const stdio = ['ignore', 'pipe', 'pipe'];
    this.#process = spawn(python, all, { env, cwd: this.folder, detached: true, stdio });
    const log = createWriteStream(join(this.folder, 'log'));
    this.#process.stdout.pipe(log, { end: false });
    this.#process.stderr.pipe(log, { end: false });
    const until = Date.now() + START_MS;
    while (!(await this.#answers())) {
      if (this.#process.exitCode !== null || Date.now() > until) {
        throw new Error(`${this.name} didn't start:\n${this.log}`);
      }
      await new Promise((done) => setTimeout(done, 500));
    }
  }

  async stop() {
    if (this.#process?.exitCode === null) {
      const ended = once(this.#process, 'exit');
      process.kill(-this.#process.pid, 'SIGKILL');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #answers() {
    return fetch(this.url + this.#healthPath).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}
