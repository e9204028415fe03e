import { lstat, mkdir, readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';
import type { ServerAccount } from './server-account.js';

export const PASSWORD_FILE = 'embedded-postgres.password';

/** A data directory and the launcher's own files beside it. */
export interface DataDirectory {
  path: string;
  parent: string;
  /** Inside, so that database and password come into being in one rename, and go together. */
  passwordFile: string;
  logFile: string;
  lockFile: string;
  /** Holds the pid of the process that is to stop the server. */
  ownerFile: string;
}

/** Makes the folder that holds the data directory; initdb makes the directory itself. */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  const parent = dirname(path);
  await mkdir(parent, { recursive: true });
  return {
    path,
    parent,
    passwordFile: join(path, PASSWORD_FILE),
    logFile: `${path}.log`,
    lockFile: `${path}.lock`,
    ownerFile: `${path}.owner`,
  };
}

/**
 * Whether a database of ours is in there (`true`) or nothing at all (`false`). A half-made one is neither: initdb works in
 * another folder, which takes this name when it is complete.
 */
export async function holdsDatabase(
  directory: DataDirectory,
  major: number,
  account?: ServerAccount,
): Promise<boolean> {
  const { path } = directory;
  const entry = await lstat(path).catch(absent);
  if (!entry) return false;
  if (!entry.isDirectory())
    throw new EmbeddedPostgresError('DIRECTORY_UNUSABLE', `${path} is in the way: it is not a directory`);
  const names = await readdir(path);
  if (names.length === 0) return false;

  const version = names.includes('PG_VERSION') ? (await readFile(join(path, 'PG_VERSION'), 'utf8')).trim() : undefined;
  if (version === undefined) {
    throw new EmbeddedPostgresError(
      'NOT_OURS',
      `${path} is not empty and holds no PostgreSQL database: name an empty directory`,
    );
  }
  if (version !== String(major)) {
    throw new EmbeddedPostgresError(
      'WRONG_MAJOR_VERSION',
      `${path} holds a database of PostgreSQL ${version}, and this is PostgreSQL ${major}: dump it with its own version, or name another directory`,
    );
  }
  const uid = account?.uid ?? process.geteuid?.();
  if (uid !== undefined && entry.uid !== uid) {
    throw new EmbeddedPostgresError(
      'DIRECTORY_UNUSABLE',
      `${path} belongs to user ${entry.uid}, and the database would run as user ${uid}`,
    );
  }
  if (!names.includes(PASSWORD_FILE)) {
    throw new EmbeddedPostgresError(
      'NOT_OURS',
      `${path} holds a database that was not made here: it has no ${PASSWORD_FILE}`,
    );
  }
  return true;
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
