import { readFile, rm, writeFile } from 'node:fs/promises';
import { systemErrorCode } from './system-error.js';

/** Makes this process the owner of a server whose owner is dead, to be called with the start lock held; says whether it did. */
export async function claimOwnership(ownerFile: string): Promise<boolean> {
  if (isAlive(await ownerPid(ownerFile))) return false;
  await takeOwnership(ownerFile);
  return true;
}

export async function takeOwnership(ownerFile: string): Promise<void> {
  await writeFile(ownerFile, String(process.pid));
}

/** To be called when the server is gone; by then another process may own its successor. */
export async function dropOwnership(ownerFile: string): Promise<void> {
  if ((await ownerPid(ownerFile)) === process.pid) await rm(ownerFile, { force: true });
}

async function ownerPid(ownerFile: string): Promise<number> {
  return Number(await readFile(ownerFile, 'utf8').catch(() => ''));
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}
