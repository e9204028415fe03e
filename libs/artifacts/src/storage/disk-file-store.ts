import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { DiskRoom, isMissing, type PromisedRoom, syncDirectory, systemErrorCode } from '@heddle/files';
import { FileTooLargeError, NoRoomForFileError, UploadInterruptedError } from '../artifacts.errors.js';
import { type ByteRange, FileStore, type ReceivedFile } from './file-store.js';

/**
 * Files under one directory: `incoming/<uuid>` while they arrive, `sha256/ab/abcd...` afterwards,
 * and `held/<uuid>` for those who hold some: second names of the same files. Only digests and uuids
 * become names on the disk, never a path from a request.
 */
export class DiskFileStore extends FileStore {
  private readonly incoming: string;
  private readonly held: string;
  private readonly room: DiskRoom;

  /** @param reserveBytes what of the disk is to stay free, as far as sources say how long they are */
  constructor(
    private readonly directory: string,
    reserveBytes: number,
    room = new DiskRoom(directory, reserveBytes),
  ) {
    super();
    this.room = room;
    this.incoming = join(directory, 'incoming');
    this.held = join(directory, 'held');
  }

  async receive(source: Readable, maxBytes: number, length?: number): Promise<ReceivedFile> {
    if ((length ?? 0) > maxBytes) throw new FileTooLargeError(maxBytes);
    const promised = length === undefined ? undefined : await this.room.promise(length);
    if (promised === null) throw new NoRoomForFileError(length!);
    const path = join(this.incoming, randomUUID());
    const discard = (): Promise<void> => rm(path, { force: true });
    try {
      await mkdir(this.incoming, { recursive: true });
      const { sha256, md5, size } = await writeDurably(path, source, maxBytes, promised);
      return { sha256, md5, size, keep: () => this.keep(path, sha256), discard };
    } catch (error) {
      await discard();
      throw error;
    } finally {
      promised?.end();
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

  async hold(holder: string, sha256: string): Promise<boolean> {
    const folder = join(this.held, holder);
    await mkdir(folder, { recursive: true });
    try {
      await link(this.pathOf(sha256), join(folder, sha256));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      if (systemErrorCode(error) === 'EEXIST') return true;
      throw error;
    }
  }

  async openHeld(holder: string, sha256: string): Promise<{ content: Readable; size: number }> {
    const file = await open(join(this.held, holder, sha256), 'r');
    return { content: file.createReadStream(), size: (await file.stat()).size };
  }

  release(holder: string): Promise<void> {
    return rm(join(this.held, holder), { recursive: true, force: true });
  }

  async removeAbandoned(before: Date): Promise<void> {
    for (const folder of [this.incoming, this.held]) {
      for (const path of (await namesIn(folder)).map((name) => join(folder, name))) {
        const found = await stat(path).catch(() => null);
        if (found && found.mtime < before) await rm(path, { recursive: true, force: true });
      }
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

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

async function writeDurably(
  path: string,
  source: Readable,
  maxBytes: number,
  promised: PromisedRoom | undefined,
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
      promised?.written(chunk.length);
    }
    await file.sync();
    return { sha256: hash.digest('hex'), md5: md5.digest('hex'), size };
  } finally {
    await file.close();
  }
}

/** Bytes that are hashed at once: a millisecond or two. A file that came inside a request is one chunk. */
const PIECE = 512 * 1024;

/** A source that breaks is its sender's doing. It is left open, since a request's stream is the answer's connection too. */
async function* chunksOf(source: Readable): AsyncGenerator<Buffer> {
  const chunks = source.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  for (;;) {
    const next = await chunks.next().catch(() => {
      throw new UploadInterruptedError();
    });
    if (next.done) return;
    for (let from = 0; from < next.value.length; from += PIECE) yield next.value.subarray(from, from + PIECE);
  }
}
