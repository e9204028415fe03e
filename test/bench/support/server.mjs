// What a bench runs against: an embedded PostgreSQL with the product's own settings (every commit is on disk), and the API
// as a process of its own. Both are new, and gone after it.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../dist/libs/embedded-postgres/src/index.js';

const MAIN = new URL('../../../dist/apps/api/src/main.js', import.meta.url);
const MONITOR = new URL('./event-loop-monitor.mjs', import.meta.url);

/** @param {{ execArgv?: string[], settings?: Record<string, string> }} options of the API's process */
export async function startServer({ execArgv = [], settings = {} } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(directory, 'postgres') });
  const key = `hd_${randomBytes(32).toString('base64url')}`;
  const api = await startApi(
    { DATABASE_URL: postgres.url, DATA_DIR: directory, ADMIN_API_KEY: key, ...settings },
    execArgv,
  );
  return {
    url: api.url,
    key,
    /** Team of the key's user. */
    entity: 'admin',
    authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}`,
    postgres,
    dataDir: directory,
    api: api.child,
    /** Milliseconds that the API's event loop was late since the last call: `{ max, p99 }`. */
    eventLoopDelay: () => {
      api.child.send('event-loop-delay');
      return message(api.child, 'event-loop-delay');
    },
    stop: async () => {
      await api.stop();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** One API as a process of its own. */
export async function startApi(settings, execArgv = []) {
  const child = fork(MAIN, {
    execArgv: ['--import', MONITOR.href, ...execArgv],
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error', ...settings },
  });
  const { url } = await message(child, 'ready');
  return {
    child,
    url,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function message(child, type) {
  return new Promise((resolve, reject) => {
    const onExit = (code) => reject(new Error(`the API ended with code ${code}`));
    child.once('exit', onExit);
    child.on('message', function listen(received) {
      if (received.type !== type) return;
      child.off('message', listen).off('exit', onExit);
      resolve(received);
    });
  });
}
