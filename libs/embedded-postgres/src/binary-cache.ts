import { constants } from 'node:fs';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BinaryPackage } from './binary-package.js';

/**
 * Copies the binaries to a folder named after their version, once, and returns it; undefined when no place will do.
 *
 * Root executes nothing from here but lets others execute it, so nobody else may have a hand in it: every place is a folder
 * that only this user can write, and a copy gets its name by one rename when it is complete. The system's cache comes before
 * the temporary folder because a cleaner would take files away from under a running server.
 */
export async function copyToCache(
  found: BinaryPackage,
  complete: (native: string) => Promise<void>,
  runs: (native: string) => Promise<boolean>,
  log: (line: string) => void,
): Promise<string | undefined> {
  for (const place of cachePlaces()) {
    if (!(await ownFolder(place))) continue;
    const home = join(place, `postgres-${found.label}`);
    const native = join(home, 'native');
    if (!(await lstat(home).catch(() => undefined))) {
      log(`unpacking PostgreSQL ${found.version} to ${home}`);
      if (!(await copy(found.native, home, complete))) continue;
    }
    if (await runs(native)) return native;
  }
  return undefined;
}

function cachePlaces(): string[] {
  const uid = process.geteuid?.();
  const temporary = join(tmpdir(), `heddle-${uid ?? 'cache'}`);
  return [
    uid === 0 && process.platform === 'linux' ? '/var/cache/heddle' : join(homedir(), '.cache', 'heddle'),
    temporary,
  ];
}

/** Makes the folder if need be, and says whether it is a real one that only this user can write. */
export async function ownFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { recursive: true, mode: 0o755 });
    const entry = await lstat(path);
    if (!entry.isDirectory()) return false;
    if (process.platform === 'win32') return true;
    return entry.uid === process.geteuid?.() && (entry.mode & 0o022) === 0;
  } catch {
    return false;
  }
}

async function copy(from: string, home: string, complete: (native: string) => Promise<void>): Promise<boolean> {
  let staging: string | undefined;
  try {
    staging = await mkdtemp(`${home}.`);
    const native = join(staging, 'native');
    await cp(from, native, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    await complete(native);
    await letEverybodyRead(staging);
    await rename(staging, home);
    return true;
  } catch {
    if (staging) await rm(staging, { recursive: true, force: true });
    // Another process may have been quicker with the same copy.
    return (await lstat(home).catch(() => undefined)) !== undefined;
  }
}

async function letEverybodyRead(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await letEverybodyRead(path);
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
