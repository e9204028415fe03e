import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** So long a start may take until it answers. */
const START_MS = 300_000;
const ANSWER_MS = 2000;

interface Holder {
  pid: number;
  /** Where it will be reached. */
  url: string;
  startedAt: number;
}

/** Somebody else runs on this data directory. */
export class InstanceRunningError extends Error {
  constructor(dataDir: string, { pid, url }: Holder) {
    super(`Heddle runs on ${dataDir} already, at ${url} (process ${pid}): end that first, or set another DATA_DIR`);
    this.name = 'InstanceRunningError';
  }
}

/**
 * Marks the data directory as this process's, until it ends. What a killed process has left is taken over.
 * @throws InstanceRunningError
 */
export async function claimInstance(dataDir: string, url: string): Promise<() => void> {
  const file = join(dataDir, 'instance.json');
  const own: Holder = { pid: process.pid, url, startedAt: Date.now() };
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = read(file);
    if (holder && (await isHeld(holder))) throw new InstanceRunningError(dataDir, holder);
    rmSync(file, { force: true });
  }
}

function read(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/** Another program may have its number by now: then nothing answers there. */
async function isHeld({ pid, url, startedAt }: Holder): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (Math.abs(Date.now() - startedAt) < START_MS) return true;
  return fetch(`${url}/health/live`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
