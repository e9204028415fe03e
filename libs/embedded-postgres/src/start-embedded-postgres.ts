import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { usableBinaries } from './binaries.js';
import type { Cluster } from './cluster.js';
import { wasShutDown } from './control-file.js';
import { createCluster } from './create-cluster.js';
import { holdsDatabase, openDataDirectory } from './data-directory.js';
import { askDatabase, prepareDatabase } from './database-access.js';
import { EmbeddedPostgresError, errorFromFileSystem } from './embedded-postgres.errors.js';
import { launchServer } from './launch-server.js';
import { claimOwnership, takeOwnership } from './server-owner.js';
import { isPostmasterOf, readPostmasterPid } from './postmaster-pid.js';
import type { PostmasterState } from './postmaster-pid.js';
import { runningServer } from './running-server.js';
import type { EmbeddedPostgres } from './running-server.js';
import { serverAccount } from './server-account.js';
import { tryStartLock } from './start-lock.js';

export interface StartOptions {
  /** Made if it is absent. The server's log, a lock and the owner's pid lie beside it, as `<dataDir>.log`, `.lock`, `.owner`. */
  dataDir: string;
  /** Gets a line when something begins that takes a while. */
  log?: (line: string) => void;
  /** PostgreSQL settings over {@link DEFAULT_SETTINGS}; they do not change a server that is already running. */
  settings?: Readonly<Record<string, string>>;
  /** Default 120 s, enough to recover 1 GB of log from a slow disk. */
  timeoutMs?: number;
}

const RETRY_MS = 50;

/**
 * Makes, starts or adopts the database server of a data directory and returns when it answers. Processes that call this at the
 * same time get the same server, of which one is the owner.
 *
 * @throws EmbeddedPostgresError
 */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  const { log = () => undefined, settings = {}, timeoutMs = 120_000 } = options;
  const path = resolve(options.dataDir);
  try {
    // Before anything is made there, for what root makes is root's.
    const account = serverAccount(path);
    const directory = await openDataDirectory(path);
    const binaries = await usableBinaries(account, log);
    const deadline = Date.now() + timeoutMs;
    return await attemptUntilDeadline({ binaries, directory, account, settings, log, deadline });
  } catch (error) {
    throw errorFromFileSystem(error, path);
  }
}

async function attemptUntilDeadline(cluster: Cluster): Promise<EmbeddedPostgres> {
  let waiting = false;
  for (;;) {
    const lock = await tryStartLock(cluster.directory.lockFile);
    if (!lock && !waiting) {
      waiting = true;
      cluster.log('waiting for another process that is starting the database');
    }
    try {
      const server = lock && (await attempt(cluster));
      if (server) return server;
    } finally {
      await lock?.release();
    }
    if (Date.now() > cluster.deadline) {
      throw new EmbeddedPostgresError('TIMEOUT', `The database in ${cluster.directory.path} did not answer in time`);
    }
    await sleep(RETRY_MS);
  }
}

/** One try, with the lock held; undefined when there is something to wait for. */
async function attempt(cluster: Cluster): Promise<EmbeddedPostgres | undefined> {
  const { directory, binaries, account, log } = cluster;
  if (!(await holdsDatabase(directory, binaries.major, account))) await createCluster(cluster);
  const password = await readFile(directory.passwordFile, 'utf8');

  const left = await readPostmasterPid(directory.path);
  if (left && (await isPostmasterOf(directory.path, left.pid))) return adopt(cluster, left, password);
  // PostgreSQL itself takes any process with that number for its predecessor, and would refuse to start.
  await rm(join(directory.path, 'postmaster.pid'), { force: true });
  const clean = await wasShutDown(directory.path);
  log(clean ? 'starting the database' : 'recovering the database, which was not shut down');

  const launched = await launchServer(cluster, password);
  if (!launched) return undefined;
  try {
    await prepareDatabase(launched.state, password);
  } catch (error) {
    launched.child.kill('SIGQUIT');
    throw error;
  }
  await takeOwnership(directory.ownerFile);
  return runningServer(cluster, launched.state, password, true, launched.child);
}

/** Takes a server that is already there, if it answers. */
async function adopt(
  cluster: Cluster,
  state: PostmasterState,
  password: string,
): Promise<EmbeddedPostgres | undefined> {
  if (state.status !== 'ready') return undefined;
  const answer = await askDatabase(state, password);
  if (answer === 'unreachable') return undefined;
  if (answer === 'refused') {
    throw new EmbeddedPostgresError(
      'NOT_OURS',
      `The server of ${cluster.directory.path} does not take the password in that directory`,
    );
  }
  if (answer === 'unprepared') await prepareDatabase(state, password);
  const owner = await claimOwnership(cluster.directory.ownerFile);
  return runningServer(cluster, state, password, owner);
}
