import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const START_MS = 180_000;
/** It starts its engine through uv, which need not be here. */
const UV = '#!/bin/sh\nwhile [ "$1" != "-m" ]; do shift; done\nexec "$TRAINER_PYTHON" "$@"\n';

/** SkyRL tx, the real one, on the CPU, with the shipped base model. */
export class SkyRlServer {
  #process;
  #folder = mkdtempSync(join(tmpdir(), 'heddle-skyrl-'));

  /** The directory of its base model, which is its name there. */
  base = join(this.#folder, 'base');

  get log() {
    return readFileSync(join(this.#folder, 'log'), 'utf8');
  }

  /** @param {string} python of an environment with skyrl-tx */
  async start(python) {
    const source = resolve('libs/engine/base-models/shuttle');
    execFileSync(python, [resolve('test/trainer/float32_model.py'), source, this.base]);
    const uv = join(this.#folder, 'uv');
    writeFileSync(uv, UV);
    chmodSync(uv, 0o755);
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    const backend = {
      max_lora_adapters: 8,
      max_lora_rank: 32,
      train_micro_batch_size: 8,
      sample_max_num_sequences: 16,
    };
    const args = [
      '-m',
      'tx.tinker.api',
      '--base-model',
      this.base,
      '--checkpoints-base',
      join(this.#folder, 'weights'),
    ];
    args.push('--backend-config', JSON.stringify(backend), '--host', '127.0.0.1', '--port', String(port));
    const env = {
      ...process.env,
      PATH: `${this.#folder}:${process.env.PATH}`,
      TRAINER_PYTHON: python,
      TX_DATABASE_URL: `sqlite:///${join(this.#folder, 'requests.db')}`,
      JAX_PLATFORMS: 'cpu',
    };
    // A group of its own, so that its engine ends with it.
    this.#process = spawn(python, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const log = createWriteStream(join(this.#folder, 'log'));
    this.#process.stdout.pipe(log);
    this.#process.stderr.pipe(log, { end: false });
    const until = Date.now() + START_MS;
    while (!(await this.#answers())) {
      if (this.#process.exitCode !== null || Date.now() > until) throw new Error(`SkyRL didn't start:\n${this.log}`);
      await new Promise((done) => setTimeout(done, 500));
    }
  }

  async stop() {
    if (this.#process?.exitCode === null) {
      const ended = once(this.#process, 'exit');
      process.kill(-this.#process.pid, 'SIGKILL');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answers() {
    return fetch(`${this.url}/api/v1/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
