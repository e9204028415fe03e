// The processes of a bench of deliveries, beside the API.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';

const url = (path) => new URL(path, import.meta.url);

/** An endpoint, see receiver.mjs. */
export async function startReceiver(behaviour) {
  const child = fork(url('./receiver.mjs'), [String(behaviour)]);
  const { port } = await messageOf(child, 'ready');
  return {
    port,
    /** They resolve to the times at which the first and the last of them came, in milliseconds since the epoch. */
    expect: async (count) => {
      const expecting = messageOf(child, 'expecting');
      const [first, all] = ['first', 'all'].map((type) => messageOf(child, type).then(({ at }) => at));
      child.send({ expect: count });
      await expecting;
      return { first, all };
    },
    stop: () => child.disconnect(),
  };
}

/** The product's worker. */
export async function startWorker(settings) {
  const child = fork(url('../../../dist/apps/worker/src/main.js'), {
    env: { PATH: process.env.PATH, WORKER_PORT: '0', LOG_LEVEL: 'error', ...settings },
  });
  await messageOf(child, 'ready');
  return { pid: child.pid, stop: () => ended(child, 'SIGTERM') };
}

/** A worker that does no more than BullMQ and the POST: see bare-worker.mjs. */
export async function startBareWorker(settings) {
  const child = fork(url('./bare-worker.mjs'), { env: { PATH: process.env.PATH, ...settings } });
  await messageOf(child, 'ready');
  return {
    add: async (count) => {
      child.send({ add: count });
      await messageOf(child, 'added');
    },
    work: () => child.send({ work: true }),
    stop: () => ended(child, 'SIGTERM'),
  };
}

/** @returns {Promise<{ url: string, stop(): Promise<void> } | undefined>} undefined where redis-server is not installed */
export async function startRedis(port) {
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], { stdio: 'pipe' });
  const started = await Promise.race([
    once(child, 'error').then(() => false),
    (async () => {
      for await (const chunk of child.stdout) if (String(chunk).includes('Ready to accept')) return true;
      return false;
    })(),
  ]);
  return started ? { url: `redis://127.0.0.1:${port}`, stop: () => ended(child, 'SIGKILL') } : undefined;
}

async function ended(child, signal) {
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

function messageOf(child, type) {
  return new Promise((resolve, reject) => {
    const onExit = (code) => reject(new Error(`a process ended with code ${code}`));
    child.once('exit', onExit);
    child.on('message', function listen(message) {
      if (message.type !== type) return;
      child.off('message', listen).off('exit', onExit);
      resolve(message);
    });
  });
}
