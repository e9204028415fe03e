import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { isBrokenTar, readTar, type TarEntry, TarWriter } from '@heddle/files';
import { BackupError } from './backup.errors.js';

/** A compressed tar in a new file. */
export class ArchiveWriter extends TarWriter {
  constructor(path: string) {
    // The weakest compression is 3 times as fast as the usual one.
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    super((tar) => pipeline(tar, gzip, file));
  }
}

/** Entry by entry; what is wrong with the file shows while it, or an entry's content, is read: see {@link readingFailure}. */
export const readArchive = (path: string): AsyncGenerator<TarEntry> => readTar(createReadStream(path), createGunzip());

/** What an operator is told of a file that can't be read, is no archive, or was cut off; other errors as they are. */
export function readingFailure(path: string, error: unknown): unknown {
  if (error instanceof BackupError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'EACCES') return new BackupError(`${path}: ${message}`, { cause: error });
  const isBroken = code?.startsWith('Z_') || isBrokenTar(error);
  return isBroken ? new BackupError(`${path} is no backup, or was cut off`, { cause: error }) : error;
}
