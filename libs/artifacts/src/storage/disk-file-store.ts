import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { isMissing, syncDirectory } from '@heddle/files';
import { FileTooLargeError, UploadInterruptedError } from '../artifacts.errors.js';
import { type ByteRange, FileStore, type ReceivedFile } from './file-store.js';

/**
 * Files under one directory: `incoming/<uuid>` while they arrive, `sha256/ab/abcd...` afterwards. Only digests and uuids
 * become names on the disk, never a path from a request.
 */
export class DiskFileStore extends FileStore {
  private readonly incoming: string;

  constructor(private readonly directory: string) {
    super();
    this.incoming = join(directory, 'incoming');
  }

  async receive(source: Readable, maxBytes: number): Promise<ReceivedFile> {
    await mkdir(this.incoming, { recursive: true });
    const path = join(this.incoming, randomUUID());
    const discard = (): Promise<void> => rm(path, { force: true });
    try {
      const { sha256, md5, size } = await writeDurably(path, source, maxBytes);
      return { sha256, md5, size, keep: () => this.keep(path, sha256), discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable | null> {
    try {
      const file = await open(this.pathOf(sha256), 'r');
      return file.createReadStream({ ...range });
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  remove(sha256: string): Promise<void> {
    return rm(this.pathOf(sha256), { force: true });
  }

  async removeAbandoned(before: Date): Promise<void> {
    const names = await readdir(this.incoming).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const path of names.map((name) => join(this.incoming, name))) {
      const found = await stat(path).catch(() => null);
      if (found && found.mtime < before) await rm(path, { force: true });
    }
  }

  private async keep(from: string, sha256: string): Promise<void> {
    const path = this.pathOf(sha256);
    const created = await mkdir(dirname(path), { recursive: true });
    await rename(from, path);
    await syncDirectory(dirname(path));
    if (created) await syncDirectory(dirname(dirname(path)));
  }

  private pathOf(sha256: string): string {
    if (!/^[\da-f]{64}$/.test(sha256)) throw new TypeError(`not a SHA-256: ${sha256}`);
    return join(this.directory, 'sha256', sha256.slice(0, 2), sha256);
  }
}

async function writeDurably(
  path: string,
  source: Readable,
  maxBytes: number,
): Promise<{ sha256: string; md5: string; size: number }> {
  const file = await open(path, 'wx');
  try {
    const hash = createHash('sha256');
    const md5 = createHash('md5');
    let size = 0;
    for await (const chunk of chunksOf(source)) {
      size += chunk.length;
      if (size > maxBytes) throw new FileTooLargeError(maxBytes);
      hash.update(chunk);
      md5.update(chunk);
      await file.appendFile(chunk);
    }
    await file.sync();
    return { sha256: hash.digest('hex'), md5: md5.digest('hex'), size };
  } finally {
    await file.close();
  }
}

/** A source that breaks is its sender's doing. It is left open, since a request's stream is the answer's connection too. */
async function* chunksOf(source: Readable): AsyncGenerator<Buffer> {
  const chunks = source.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  for (;;) {
    const next = await chunks.next().catch(() => {
      throw new UploadInterruptedError();
    });
    if (next.done) return;
    yield next.value;
  }
}
