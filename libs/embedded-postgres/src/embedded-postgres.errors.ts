import { systemErrorCode } from './system-error.js';

/**
 * - `UNSUPPORTED_PLATFORM`: no package with binaries is installed for this operating system and processor
 * - `BINARIES_UNUSABLE`: they are installed, but the account that has to run the server can't execute them
 * - `DIRECTORY_UNUSABLE`: the data directory can't be created, read or written
 * - `NOT_OURS`: the data directory holds something that this launcher did not make
 * - `WRONG_MAJOR_VERSION`: it holds a database of another PostgreSQL major version
 * - `DISK_FULL`: the disk or a quota refuses to take more
 * - `INIT_FAILED`, `START_FAILED`: initdb or the server gave up; the message ends in its own last words
 * - `TIMEOUT`: the server is there but did not answer in time
 */
export type EmbeddedPostgresErrorCode =
  | 'UNSUPPORTED_PLATFORM'
  | 'BINARIES_UNUSABLE'
  | 'DIRECTORY_UNUSABLE'
  | 'NOT_OURS'
  | 'WRONG_MAJOR_VERSION'
  | 'DISK_FULL'
  | 'INIT_FAILED'
  | 'START_FAILED'
  | 'TIMEOUT';

/** Why the embedded database can't be had. The message is one line, fit for a terminal; `code` is stable. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';

  constructor(
    readonly code: EmbeddedPostgresErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message.replace(/\s*\n\s*/g, ' | '), options);
  }
}

const REFUSED_BY_DISK = /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/;

/** Turns what initdb or the server printed before it gave up into an error. */
export function errorFromOutput(
  code: 'INIT_FAILED' | 'START_FAILED',
  what: string,
  output: string,
): EmbeddedPostgresError {
  const lastLines = output.trim().split('\n').slice(-5).join('\n');
  return new EmbeddedPostgresError(
    REFUSED_BY_DISK.test(output) ? 'DISK_FULL' : code,
    `${what}: ${lastLines || 'no output'}`,
  );
}

/** Turns a failed file operation on or beside the data directory into an error; anything else passes through. */
export function errorFromFileSystem(error: unknown, path: string): unknown {
  const systemCode = systemErrorCode(error);
  if (systemCode === undefined) return error;
  const code = REFUSED_BY_DISK.test(systemCode) ? 'DISK_FULL' : 'DIRECTORY_UNUSABLE';
  return new EmbeddedPostgresError(code, `The database directory ${path} can't be used: ${String(error)}`, {
    cause: error,
  });
}
