import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A process that answers each line of JSON on its input with one on its output. */
export class ProcessLines {
  #child;
  #lines;
  #errors = '';

  constructor(program, parameters) {
    this.#child = spawn(program, parameters, { env: { ...process.env, HF_HUB_OFFLINE: '1' } });
    this.#child.stderr.on('data', (data) => (this.#errors += data));
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async ask(work) {
    this.#child.stdin.write(`${JSON.stringify(work)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(this.#errors);
    return JSON.parse(value);
  }

  async close() {
    const closed = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.stdin.end();
    await closed;
  }
}
