import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../support/free-port.mjs';
import { httpClient } from '../support/http-client.mjs';

const START_MS = 600_000;

/** vLLM's server of OpenAI's API for the CPU, in float32 as Heddle computes, ready to take adapters. */
export async function startVllm(python, model, threads, connections) {
  const port = await freePort();
  const options = ['--model', model, '--served-model-name', 'base', '--dtype', 'float32', '--max-model-len', '1024'];
  const lora = ['--enable-lora', '--max-lora-rank', '64', '--max-loras', '4', '--enforce-eager'];
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  const env = {
    ...process.env,
    OMP_NUM_THREADS: String(threads),
    VLLM_CPU_KVCACHE_SPACE: '1',
    VLLM_ALLOW_RUNTIME_LORA_UPDATING: 'True',
    HF_HUB_OFFLINE: '1',
  };
  const server = spawn(python, ['-m', 'vllm.entrypoints.openai.api_server', ...options, ...lora, ...address], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, which ends as a whole.
    detached: true,
  });
  const ended = once(server, 'exit');
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => (said = (said + data).slice(-4000)));
  const client = httpClient(`http://127.0.0.1:${port}`, '', { connections });
  const running = () => server.exitCode === null && server.signalCode === null;
  const stop = async () => {
    client.close();
    if (running()) process.kill(-server.pid, 'SIGTERM');
    await ended;
  };
  const healthy = () =>
    client.send('GET', '/health', '').then(
      () => true,
      () => false,
    );
  for (const end = Date.now() + START_MS; !(await healthy()); await setTimeout(1000)) {
    if (running() && Date.now() < end) continue;
    await stop();
    throw new Error(`vLLM did not start:\n${said}`);
  }
  return {
    pid: server.pid,
    chat: (body) => client.post('/v1/chat/completions', JSON.stringify(body)),
    load: (name, path) => client.post('/v1/load_lora_adapter', JSON.stringify({ lora_name: name, lora_path: path })),
    stop,
  };
}
