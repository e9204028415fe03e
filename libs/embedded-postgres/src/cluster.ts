import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import type { Binaries } from './binaries.js';
import type { DataDirectory } from './data-directory.js';
import { SERVER_ENVIRONMENT } from './server-account.js';
import type { ServerAccount } from './server-account.js';

/** All that has to be known to make, start and stop one database cluster. */
export interface Cluster {
  binaries: Binaries;
  directory: DataDirectory;
  /** Undefined: the account of this process. */
  account: ServerAccount | undefined;
  settings: Readonly<Record<string, string>>;
  log: (line: string) => void;
  /** Epoch milliseconds by which the server has to answer. */
  deadline: number;
}

/**
 * Runs a program on a data directory, in a process group of its own: a Ctrl-C in the terminal is for us, not for the server.
 *
 * Another account may be unable to reach the directory by its path, for instance below /root. On Linux it needn't: the child is
 * put into the directory before it gives up being root, and knows it as /proc/self/cwd from then on.
 */
export function spawnInside(
  cluster: Cluster,
  program: string,
  dataDir: string,
  args: string[],
  stdio: StdioOptions,
): ChildProcess {
  const name = cluster.account && process.platform === 'linux' ? '/proc/self/cwd' : dataDir;
  return spawn(program, ['-D', name, ...args], {
    ...cluster.account,
    cwd: dataDir,
    env: SERVER_ENVIRONMENT,
    detached: true,
    windowsHide: true,
    stdio,
  });
}
