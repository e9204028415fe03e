import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { systemErrorCode } from './system-error.js';

const HEARTBEAT_MS = 1_000;
const STALE_MS = 5_000;

export interface StartLock {
  release(): Promise<void>;
}

/**
 * Takes the lock file, or returns undefined while another process has it. The holder touches it every second; one that went
 * untouched was left by a killed process (a pid would not tell: the next container gives the same one away again).
 *
 * A holder that was only suspended may wake up beside a second one. That wastes work and harms nothing: initdb ends in one
 * atomic rename, and PostgreSQL keeps a second server out of a data directory by itself.
 */
export async function tryStartLock(file: string): Promise<StartLock | undefined> {
  const token = randomUUID();
  try {
    await writeFile(file, token, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    await removeStale(file);
    return undefined;
  }
  const heartbeat = setInterval(() => void touch(file), HEARTBEAT_MS);
  return {
    release: async () => {
      clearInterval(heartbeat);
      if ((await readFile(file, 'utf8').catch(() => '')) === token) await rm(file, { force: true });
    },
  };
}

/** Renames before it removes, so that of several that find it stale only one goes on. */
async function removeStale(file: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    if (Date.now() - (await stat(file)).mtimeMs < STALE_MS) return;
    await rename(file, aside);
    await rm(aside);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
}
