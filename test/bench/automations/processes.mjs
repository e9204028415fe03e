// The processes of a bench of deliveries, beside the API.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const url = (path) => new URL(path, import.meta.url);

/** An endpoint, see receiver.mjs. */
export async function startReceiver(behaviour) {
  const child = fork(url('./receiver.mjs'), [String(behaviour)]);
  const { port } = await messageOf(child, 'ready');
  return {
    port,
    /**
     * They resolve to the times at which the first after those to skip, and the last of all came, in milliseconds since the
     * epoch.
     */
    expect: async (count, skip = 0) => {
      const expecting = messageOf(child, 'expecting');
      const [first, all] = ['first', 'all'].map((type) => messageOf(child, type).then(({ at }) => at));
      child.send({ expect: count, skip });
      await expecting;
      return { first, all };
    },
    stop: () => child.disconnect(),
  };
}

/** The product's worker, without which the bench ends; with `watchHeap` it tells its live heap. */
export async function startWorker(settings, { watchHeap = false } = {}) {
  const child = fork(url('../../../dist/apps/worker/src/main.js'), {
    execArgv: watchHeap ? ['--expose-gc', '--import', url('./heap-monitor.mjs').href] : [],
    env: { PATH: process.env.PATH, WORKER_PORT: '0', LOG_LEVEL: 'error', ...settings },
  });
  await messageOf(child, 'ready');
  const onExit = (code, signal) => {
    throw new Error(`the worker ended with ${signal ?? `code ${code}`}`);
  };
  child.once('exit', onExit);
  return {
    pid: child.pid,
    /** After a collection of all garbage, in bytes. */
    heap: () => {
      const heap = messageOf(child, 'heap');
      child.send('heap');
      return heap;
    },
    stop: () => ended(child.off('exit', onExit), 'SIGTERM'),
  };
}

/** A worker that does no more than BullMQ and the POST: see bare-worker.mjs. */
export async function startBareWorker(settings) {
  const child = fork(url('./bare-worker.mjs'), { env: { PATH: process.env.PATH, ...settings } });
  await messageOf(child, 'ready');
  return {
    pid: child.pid,
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

/** CPU time of all threads of the process, in milliseconds; `NaN` where there is no /proc. Linux counts 100 ticks a second. */
export function cpuTimeOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) * 10;
  } catch {
    return NaN;
  }
}

async function ended(child, signal) {
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

function messageOf(child, type) {
  return new Promise((resolve, reject) => {
    const onExit = (code, signal) => reject(new Error(`${child.spawnargs[1]} ended with ${signal ?? `code ${code}`}`));
    child.once('exit', onExit);
    child.on('message', function listen(message) {
      if (message.type !== type) return;
      child.off('message', listen).off('exit', onExit);
      resolve(message);
    });
  });
}
