import { execFile } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Cluster } from './cluster.js';
import { isPostmasterOf } from './postmaster-pid.js';
import type { PostmasterState } from './postmaster-pid.js';
import { databaseUrls } from './database-access.js';
import { dropOwnership } from './server-owner.js';
import { readServerLog } from './server-log.js';

export interface PostgresExit {
  /** Whether `stop` was called here before. */
  expected: boolean;
  /** The end of the server's log. */
  lastLog: string;
}

/** A database server that answers. */
export interface EmbeddedPostgres {
  /** The application's database, as the role that owns it: `postgres://heddle:<password>@127.0.0.1:<port>/heddle`. */
  url: string;
  /** The database `postgres` as the superuser. */
  adminUrl: string;
  port: number;
  pid: number;
  /** Whether this process is the one to stop the server: it started it, or took over from one that died. */
  owner: boolean;
  /** Ends the server if this process owns it, and returns when it is gone; otherwise leaves it to its owner. */
  stop(): Promise<void>;
  /** Settles when the server is gone, whoever ended it. */
  exited: Promise<PostgresExit>;
}

/** What follows when the server is still there some milliseconds after the signal before; SIGINT is PostgreSQL's fast shutdown. */
const ESCALATION = [
  { signal: 'INT', waitMs: 20_000 },
  { signal: 'QUIT', waitMs: 5_000 },
  { signal: 'KILL', waitMs: 5_000 },
] as const;

const POLL_MS = 250;

export function runningServer(
  cluster: Cluster,
  state: PostmasterState,
  password: string,
  owner: boolean,
  child?: ChildProcess,
): EmbeddedPostgres {
  const { path, logFile, ownerFile } = cluster.directory;
  let expected = false;
  const gone = child ? childGone(child) : processGone(path, state.pid);

  const end = async (): Promise<void> => {
    for (const { signal, waitMs } of ESCALATION) {
      if (!(await isPostmasterOf(path, state.pid))) break;
      await sendSignal(cluster, state.pid, signal);
      const patience = new AbortController();
      const waited = sleep(waitMs, undefined, { signal: patience.signal }).catch(() => undefined);
      await Promise.race([gone, waited]);
      patience.abort();
    }
    await gone;
    await dropOwnership(ownerFile);
  };
  let ending: Promise<void> | undefined;

  return {
    ...databaseUrls(state.port, password),
    port: state.port,
    pid: state.pid,
    owner,
    stop: async () => {
      expected = true;
      if (owner) await (ending ??= end());
    },
    exited: gone.then(async () => ({ expected, lastLog: await readServerLog(logFile) })),
  };
}

async function childGone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** A server that another process started is no child of ours, so it must be looked for; looking keeps no process alive. */
async function processGone(dataDir: string, pid: number): Promise<void> {
  while (await isPostmasterOf(dataDir, pid)) await sleep(POLL_MS, undefined, { ref: false });
}

async function sendSignal(cluster: Cluster, pid: number, signal: (typeof ESCALATION)[number]['signal']): Promise<void> {
  try {
    // Windows knows no signals: there PostgreSQL listens on a pipe, which pg_ctl speaks to.
    if (process.platform === 'win32') await promisify(execFile)(cluster.binaries.pgCtl, ['kill', signal, String(pid)]);
    else process.kill(pid, `SIG${signal}`);
  } catch {
    // It ended by itself in the meantime.
  }
}
