import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyToCache } from './binary-cache.js';
import { findBinaryPackage, linkLibraries } from './binary-package.js';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';
import { SERVER_ENVIRONMENT } from './server-account.js';
import type { ServerAccount } from './server-account.js';

export interface Binaries {
  /** PostgreSQL major version, as in PG_VERSION. */
  major: number;
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/**
 * Binaries that this account can run.
 *
 * In place where that works, which is the usual case. It does not when root installed below a closed home directory and the
 * server has to be somebody else, or when node_modules can't be written and lacks the library links (npm runs no install
 * scripts): then a copy in a cache folder serves. What decides is a trial run, not a reading of permission bits, for access
 * lists, read-only mounts and noexec have their say as well.
 */
export async function usableBinaries(
  account: ServerAccount | undefined,
  log: (line: string) => void,
): Promise<Binaries> {
  const found = await findBinaryPackage();
  await linkLibraries(found.native);
  const failures: string[] = [];
  const runs = async (native: string): Promise<boolean> => {
    const failure = await tryRun(native, account);
    if (failure) failures.push(failure);
    return !failure;
  };
  const native = (await runs(found.native)) ? found.native : await copyToCache(found, linkLibraries, runs, log);
  if (!native) {
    throw new EmbeddedPostgresError(
      'BINARIES_UNUSABLE',
      `The PostgreSQL binaries can't be run: ${failures.join('\n')}`,
    );
  }
  const executable = (name: string) => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return {
    major: Number.parseInt(found.version, 10),
    initdb: executable('initdb'),
    postgres: executable('postgres'),
    pgCtl: executable('pg_ctl'),
  };
}

async function tryRun(native: string, account: ServerAccount | undefined): Promise<string | undefined> {
  for (const name of ['postgres', 'initdb']) {
    try {
      await promisify(execFile)(join(native, 'bin', name), ['--version'], {
        ...account,
        cwd: '/',
        env: SERVER_ENVIRONMENT,
      });
    } catch (error) {
      return String(error);
    }
  }
  return undefined;
}
