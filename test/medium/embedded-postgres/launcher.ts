import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { EmbeddedPostgres, StartOptions } from '@heddle/embedded-postgres';
import pg from 'pg';

export type ServerFacts = Pick<EmbeddedPostgres, 'url' | 'adminUrl' | 'port' | 'pid' | 'owner'>;

interface Message {
  progress?: string;
  server?: ServerFacts;
  exit?: { expected: boolean; lastLog: string };
  error?: { name: string; code: string; message: string };
}

export interface LauncherOptions {
  /** The library's compiled entry, where it is not the one of this checkout. */
  entry?: string;
  uid?: number;
  gid?: number;
  home?: string;
}

const here = dirname(fileURLToPath(import.meta.url));
const COMPILED = resolve(here, '../../../dist/libs/embedded-postgres/src/index.js');

const launched = new Set<ChildProcess>();

/** A separate process that starts the database: what a test can kill, and start three of at once. */
export function launch(start: Omit<StartOptions, 'log'>, options: LauncherOptions = {}) {
  const { entry = COMPILED, uid, gid, home } = options;
  if (!existsSync(entry)) throw new Error(`${entry} is missing: run "npm run build" first`);
  const child = spawn(process.execPath, [join(here, 'launcher-process.mjs'), entry, JSON.stringify(start)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
    uid,
    gid,
    env: { PATH: process.env.PATH, HOME: home ?? process.env.HOME },
    detached: true,
  });
  launched.add(child);
  child.once('exit', () => launched.delete(child));
  const messages: Message[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => messages.push(JSON.parse(line) as Message));
  const closed = once(lines, 'close');

  const message = async (wanted: (message: Message) => boolean): Promise<Message> => {
    for (;;) {
      const found = messages.find(wanted);
      if (found) return found;
      const over = await Promise.race([once(lines, 'line').then(() => false), closed.then(() => true)]);
      const last = messages.find(wanted);
      if (last) return last;
      if (over) throw new Error(`The launcher ended: ${JSON.stringify(messages)}`);
    }
  };

  return {
    child,
    closed,
    progress: () => messages.flatMap((m) => m.progress ?? []),
    hasSaid: async (text: string) => void (await message((m) => m.progress?.includes(text) ?? false)),
    server: async () => (await message((m) => m.server !== undefined)).server as ServerFacts,
    error: async () => (await message((m) => m.error !== undefined)).error,
    exit: async () => (await message((m) => m.exit !== undefined)).exit,
    stop: async () => {
      child.stdin.end('stop\n');
      await closed;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

export async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** A folder for data directories. `remove` also ends what a failed test left: launchers, and servers in it. */
export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'heddle-embedded-postgres-'));
  await chmod(path, 0o755);
  return {
    path,
    dataDir: join(path, 'database'),
    remove: async () => {
      for (const child of launched) child.kill('SIGKILL');
      for (const name of await readdir(path)) {
        const pid = Number.parseInt(await readFile(join(path, name, 'postmaster.pid'), 'utf8').catch(() => ''), 10);
        if (pid > 0 && spawnSync('ps', ['-o', 'comm=', '-p', String(pid)]).stdout.includes('postgres')) {
          process.kill(pid, 'SIGQUIT');
        }
      }
      await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
