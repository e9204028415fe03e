import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemErrorCode } from './system-error.js';

/** What a server says about itself in `postmaster.pid` of its data directory. */
export interface PostmasterState {
  pid: number;
  port: number;
  /** Empty while the server has only just begun to write the file. */
  status: string;
}

/** Lines: 1 pid, 2 data directory, 3 start time, 4 port, 5 socket directory, 6 listen address, 7 shared memory, 8 status. */
export function parsePostmasterPid(text: string): PostmasterState | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3] ?? 0), status: lines[7] ?? '' };
}

export async function readPostmasterPid(dataDir: string): Promise<PostmasterState | undefined> {
  try {
    return parsePostmasterPid(await readFile(join(dataDir, 'postmaster.pid'), 'utf8'));
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Whether this process is the server of this data directory. A process with that number is not enough: after a reboot or in a
 * restarted container it is often another program, or another server; and an unreaped zombie still takes signals.
 */
export async function isPostmasterOf(dataDir: string, pid: number): Promise<boolean> {
  switch (process.platform) {
    case 'linux':
      return worksIn(dataDir, pid);
    case 'win32':
      return (await output('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'])).includes('"postgres.exe"');
    default:
      return (await output('ps', ['-o', 'command=', '-p', String(pid)])).includes(`-D ${dataDir} `);
  }
}

/** A server works inside its data directory; the kernel tells where, to its own user and to root. */
async function worksIn(dataDir: string, pid: number): Promise<boolean> {
  try {
    const [cwd, data] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(dataDir)]);
    return cwd.dev === data.dev && cwd.ino === data.ino;
  } catch {
    return false;
  }
}

async function output(command: string, args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args)).stdout;
  } catch {
    return '';
  }
}
