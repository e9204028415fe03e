import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.js';
import { spawnInside } from './cluster.js';
import { askDatabase } from './database-access.js';
import { EmbeddedPostgresError, errorFromOutput } from './embedded-postgres.errors.js';
import { readPostmasterPid } from './postmaster-pid.js';
import type { PostmasterState } from './postmaster-pid.js';
import { giveTo } from './server-account.js';
import { openServerLog, readServerLog } from './server-log.js';
import { settingsArguments } from './server-settings.js';

export interface LaunchedServer {
  child: ChildProcess;
  state: PostmasterState;
}

/** Another program took our port, or the last processes of a killed server still hold its memory: both pass. */
const PASSING = /Address already in use|pre-existing shared memory block|lock file "postmaster\.pid" already exists/;

/** Starts the server and waits until it answers; undefined when it gave up over something that passes. */
export async function launchServer(cluster: Cluster, password: string): Promise<LaunchedServer | undefined> {
  const { logFile, path } = cluster.directory;
  const log = await openServerLog(logFile);
  let child: ChildProcess;
  let from: number;
  try {
    await giveTo(cluster.account, logFile);
    from = (await log.stat()).size;
    const args = [
      ...['-p', String(await freePort())],
      ...settingsArguments(cluster.settings),
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    ];
    child = spawnInside(cluster, cluster.binaries.postgres, path, args, ['ignore', log.fd, log.fd]);
  } finally {
    await log.close();
  }
  child.unref();
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));

  while (child.exitCode === null && child.signalCode === null && !failure) {
    const state = await readPostmasterPid(path);
    if (
      state?.pid === child.pid &&
      state?.status === 'ready' &&
      (await askDatabase(state, password)) !== 'unreachable'
    ) {
      return { child, state };
    }
    if (Date.now() > cluster.deadline) {
      child.kill('SIGQUIT');
      throw new EmbeddedPostgresError('TIMEOUT', `The database did not become ready in time; its log is ${logFile}`);
    }
    await sleep(20);
  }
  const output = failure?.message ?? (await readServerLog(logFile, from));
  if (PASSING.test(output)) return undefined;
  throw errorFromOutput('START_FAILED', 'The database server ended while it was starting', output);
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
