import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, open, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Cluster } from './cluster.js';
import { spawnInside } from './cluster.js';
import { ADMIN_ROLE } from './database-access.js';
import { PASSWORD_FILE } from './data-directory.js';
import { errorFromOutput } from './embedded-postgres.errors.js';
import { giveTo } from './server-account.js';

/**
 * Makes a cluster with a password of its own, to be called with the start lock held. The work happens in a folder beside the data
 * directory, which is renamed when it is complete: an interrupted run leaves nothing but that folder, and the next one removes it.
 */
export async function createCluster(cluster: Cluster): Promise<void> {
  const { directory, account, log } = cluster;
  log('creating the database (initdb)');
  const prefix = `${basename(directory.path)}.new-`;
  for (const name of await readdir(directory.parent)) {
    if (name.startsWith(prefix)) await rm(join(directory.parent, name), { recursive: true, force: true });
  }

  const staging = await mkdtemp(join(directory.parent, prefix));
  try {
    const data = join(staging, 'data');
    const password = join(staging, PASSWORD_FILE);
    await mkdir(data, { mode: 0o700 });
    await writeFile(password, randomBytes(24).toString('hex'), { mode: 0o600, flush: true });
    for (const path of [staging, data, password]) await giveTo(account, path);
    await initdb(cluster, data);
    await rename(password, join(data, PASSWORD_FILE));
    await chmod(data, 0o700);
    await rmdir(directory.path).catch(() => undefined);
    await rename(data, directory.path);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  await syncFolder(directory.path);
  await syncFolder(directory.parent);
}

async function initdb(cluster: Cluster, data: string): Promise<void> {
  const args = [
    `--username=${ADMIN_ROLE}`,
    // Relative, for the path from the root may be closed to the account that initdb runs under.
    `--pwfile=${join('..', PASSWORD_FILE)}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
    ...(cluster.settings.fsync === 'off' ? ['--no-sync'] : []),
  ];
  const child = spawnInside(cluster, cluster.binaries.initdb, data, args, ['ignore', 'ignore', 'pipe']);
  const exit = once(child, 'exit');
  const [output, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', exit]);
  if (code !== 0) throw errorFromOutput('INIT_FAILED', 'The database could not be created', output);
}

/** Makes a rename survive a power failure; Windows has no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
}
