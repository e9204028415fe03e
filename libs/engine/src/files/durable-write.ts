import { randomUUID } from 'node:crypto';
import { type FileHandle, access, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { EngineError } from '../protocol/engine.errors.js';

/** Writes a new file, and returns once it is on the disk. */
export async function writeNewFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Writes or replaces a file: whoever opens it sees all of the old or all of the new. */
export async function writeWholeFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const partial = partialName(path);
  try {
    await writeNewFile(partial, write);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await syncDirectory(dirname(partial));
}

/**
 * Makes a directory whose files `fill` writes with `writeNewFile`: it appears when all are there, or never. A process
 * that is killed in the middle leaves `.<name>.<uuid>.partial` beside it.
 * @throws EngineError `invalid_request` if the directory exists.
 */
export async function writeWholeDirectory(path: string, fill: (partial: string) => Promise<void>): Promise<void> {
  await refuseExisting(path);
  const partial = partialName(path);
  await mkdir(partial, { recursive: true });
  try {
    await fill(partial);
    await syncDirectory(partial);
    // A rename would silently replace a directory that is empty.
    await refuseExisting(path);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
  await syncDirectory(dirname(partial));
}

export const writeJson = (path: string, value: unknown): Promise<void> =>
  writeNewFile(path, (file) => file.writeFile(`${JSON.stringify(value, null, 2)}\n`));

const partialName = (path: string): string =>
  join(dirname(resolve(path)), `.${basename(resolve(path))}.${randomUUID()}.partial`);

async function refuseExisting(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new EngineError('invalid_request', `the directory ${basename(path)} exists already`);
}

/** A rename survives a power cut only once its directory is written. Windows has no such call, and needs none. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
