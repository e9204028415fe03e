import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The account that the server runs under when this process is root, which PostgreSQL refuses to be. */
export interface ServerAccount {
  uid: number;
  gid: number;
}

/** Environment of initdb and the server: none of the caller's PG*, LD_* or locale variables may reach them. */
export const SERVER_ENVIRONMENT: NodeJS.ProcessEnv | undefined =
  process.platform === 'win32' ? undefined : { LC_ALL: 'C', PATH: '/usr/bin:/bin' };

/**
 * Whoever owns the data directory, or else the folder that will hold it, so that `sudo` in somebody's checkout leaves files
 * which that person can use later without it. Where that is root too: nobody. Undefined when this process is not root.
 */
export function serverAccount(dataDir: string): ServerAccount | undefined {
  if (process.geteuid?.() !== 0) return undefined;
  for (let path = dataDir; ; path = dirname(path)) {
    const owner = statSync(path, { throwIfNoEntry: false });
    if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid || nobody('-g') };
    // Folders above the nearest existing one say nothing about who will use this one.
    if ((owner && path !== dataDir) || path === dirname(path)) return { uid: nobody('-u'), gid: nobody('-g') };
  }
}

/** Hands a file that root made to the account of the server. */
export async function giveTo(account: ServerAccount | undefined, path: string): Promise<void> {
  if (account) await chown(path, account.uid, account.gid);
}

function nobody(flag: '-u' | '-g'): number {
  try {
    return Number(execFileSync('id', [flag, 'nobody'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return 65534;
  }
}
