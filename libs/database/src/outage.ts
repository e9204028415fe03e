import { setTimeout as pause } from 'node:timers/promises';

/** Of PostgreSQL, by the first characters: connection trouble; too many connections; shut down, crashed, starting up. */
const SQL_STATES = ['08', '53300', '57P01', '57P02', '57P03', '57P05'];
/** A statement ran into its limit: something holds what it needs, or the server is overloaded. */
const STATEMENT_TIMEOUT = '57014';
/** A standby that was written to: the primary has moved, and connections to the old one must go first. */
const READ_ONLY = '25006';
/** Two transactions were in each other's way: one of them is to be tried again. */
const CONFLICTS = ['40001', '40P01'];
const SYSTEM_CODES = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['EAI_AGAIN', 'ENOTFOUND'],
];
/** What the driver says of a connection that it lost; it gives no code. */
const MESSAGES =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed)|Query read timeout)/;

/** Not `instanceof Error`: those of the system come from another realm in tests. */
type Failure = { code?: unknown; message?: unknown; driverError?: unknown; cause?: unknown };

/** Whether a statement failed because the database was away, not because of what it said: the same one may do later. */
export function isOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, driverError, cause } = error as Failure;
  if (typeof code === 'string') {
    if ([...SQL_STATES, STATEMENT_TIMEOUT, READ_ONLY, ...CONFLICTS].some((state) => code.startsWith(state)))
      return true;
    if (SYSTEM_CODES.includes(code)) return true;
  }
  return MESSAGES.test(String(message)) || isOutage(driverError) || isOutage(cause);
}

/** Of PostgreSQL and of the system: no room on the disk, none in the quota; a disk that fails and became read-only. */
const STORAGE_CODES = ['53100', '58030', 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO'];

/** Whether there was no place to write to, neither for the database nor for a file: somebody has to make room. */
export function isStorageFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, driverError, cause } = error as Failure;
  return STORAGE_CODES.includes(code as string) || isStorageFull(driverError) || isStorageFull(cause);
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/**
 * Does something again, after growing pauses, for as long as the database is away.
 * @param work may be done twice: whether a statement that was cut off has happened, nobody knows
 * @param signal ends the waiting @throws what `work` threw last
 */
export async function waitOut<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let delay = FIRST_PAUSE_MS; ; delay = Math.min(2 * delay, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || signal?.aborted) throw error;
      // Half of it by chance, so that those who were cut off together don't come back together.
      const failed = await pause(delay * (0.5 + Math.random() / 2), false, { signal }).catch(() => true);
      if (failed) throw error;
    }
  }
}
