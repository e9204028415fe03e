import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { copyToCache } from './binary-cache.js';
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

/** An installed `@embedded-postgres/<platform>-<arch>` package. */
export interface BinaryPackage {
  /** For instance `linux-x64-18.4.0-beta.17`. */
  label: string;
  version: string;
  /** The folder with bin, lib and share. */
  native: string;
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

export async function findBinaryPackage(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<BinaryPackage> {
  const target = `${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${target}`)));
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const version = manifest && typeof manifest === 'object' && 'version' in manifest ? String(manifest.version) : '';
    return { label: `${target}-${version}`, version, native: join(root, 'native') };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'UNSUPPORTED_PLATFORM',
      `No embedded PostgreSQL for ${target}: install without --omit=optional, or name a server in DATABASE_URL`,
      { cause },
    );
  }
}

/** Makes the links that an npm package can't carry; where the folder refuses them, the trial run tells. */
async function linkLibraries(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const link of parseLinks(text)) {
    await symlink(basename(link.source), join(dirname(native), link.target)).catch(() => undefined);
  }
}

/** Pairs of paths relative to the package, such as native/lib/libpq.so.5.18 and native/lib/libpq.so.5, in one folder each. */
export function parseLinks(text: string): { source: string; target: string }[] {
  const links: unknown = JSON.parse(text);
  if (!Array.isArray(links)) return [];
  return links.filter(
    (link: { source?: unknown; target?: unknown }): link is { source: string; target: string } =>
      typeof link.source === 'string' &&
      typeof link.target === 'string' &&
      dirname(link.source) === dirname(link.target),
  );
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
