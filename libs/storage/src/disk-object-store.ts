import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { isMissing, syncDirectory } from '@heddle/files';
import { type ByteRange, checkKey, ObjectStore, type StoredObject } from './object-store.js';

/** Objects are files below one folder, by their keys. What is put there comes from the same file system. */
export class DiskObjectStore extends ObjectStore {
  readonly isRemote = false;

  constructor(private readonly folder: string) {
    super();
  }

  async put(key: string, path: string): Promise<void> {
    const place = this.pathOf(key);
    const created = await mkdir(dirname(place), { recursive: true });
    await rename(path, place);
    await syncDirectory(dirname(place));
    if (created) await syncDirectory(dirname(dirname(place)));
  }

  async open(key: string, range?: ByteRange): Promise<Readable | null> {
    try {
      const file = await open(this.pathOf(key), 'r');
      return file.createReadStream({ ...range, highWaterMark: 256 * 1024 });
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async sizeOf(key: string): Promise<number | null> {
    return (await statOf(this.pathOf(key)))?.size ?? null;
  }

  remove(key: string): Promise<void> {
    return rm(this.pathOf(key), { force: true });
  }

  async *list(folder: string): AsyncGenerator<StoredObject> {
    for await (const path of filesBelow(this.pathOf(folder))) {
      const found = await statOf(path);
      const key = relative(this.folder, path).split(sep).join('/');
      if (found) yield { key, modifiedAt: found.mtime };
    }
  }

  linkTo(): Promise<null> {
    return Promise.resolve(null);
  }

  /** Whether there is room is another question, which health asks of the disk. */
  check(): Promise<void> {
    return Promise.resolve();
  }

  private pathOf(key: string): string {
    return join(this.folder, checkKey(key));
  }
}

async function statOf(path: string): Promise<{ size: number; mtime: Date } | null> {
  return stat(path).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) yield* filesBelow(path);
      else if (entry.isFile()) yield path;
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
