import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DiskRoom, isMissing } from '@heddle/files';
import type { ByteRange, LinkedFile, ObjectStore } from '@heddle/storage';
import { FileTooLargeError, NoRoomForFileError } from '../artifacts.errors.js';
import { type Digested, writeDurably } from './write-durably.js';

/** Content that has arrived whole on this disk, but is not yet known by its digest. */
export interface ReceivedFile extends Digested {
  /** Brings it to a store on another machine, so that `keep` takes no time. To be called once its row is there. */
  send(): Promise<void>;
  /** Makes it the content that {@link FileStore.open} finds: durably, or not at all. To be called while its row is held. */
  keep(): Promise<void>;
  /** Forgets it, unless it was kept. */
  discard(): Promise<void>;
}

/**
 * The bytes of artifact files, by their SHA-256: `artifacts/incoming/<uuid>` on this disk while they arrive, objects
 * `artifacts/sha256/ab/abcd...` afterwards. Only digests and uuids become names, never a path from a request.
 */
export class FileStore {
  private readonly incoming: string;
  private readonly room: DiskRoom;

  /** @param reserveBytes what of the disk is to stay free, as far as sources say how long they are */
  constructor(
    private readonly objects: ObjectStore,
    dataDir: string,
    reserveBytes: number,
    room?: DiskRoom,
  ) {
    const folder = join(dataDir, 'artifacts');
    this.incoming = join(folder, 'incoming');
    this.room = room ?? new DiskRoom(folder, reserveBytes);
  }

  /**
   * Reads the source to its end. Memory stays flat.
   * @param length in bytes, where it was announced: what there is no room for is refused before it comes
   * @throws FileTooLargeError | UploadInterruptedError | NoRoomForFileError with nothing left behind
   */
  async receive(source: Readable, maxBytes: number, length?: number): Promise<ReceivedFile> {
    if ((length ?? 0) > maxBytes) throw new FileTooLargeError(maxBytes);
    const promised = length === undefined ? undefined : await this.room.promise(length);
    if (promised === null) throw new NoRoomForFileError(length!);
    const path = join(this.incoming, randomUUID());
    const discard = (): Promise<void> => rm(path, { force: true });
    try {
      await mkdir(this.incoming, { recursive: true });
      const file = await writeDurably(path, source, maxBytes, promised);
      return { ...file, send: () => this.send(path, file), keep: () => this.keep(path, file), discard };
    } catch (error) {
      await discard();
      throw error;
    } finally {
      promised?.end();
    }
  }

  /** @returns null where there is no such content */
  open(sha256: string, range?: ByteRange): Promise<Readable | null> {
    return this.objects.open(keyOf(sha256), range);
  }

  /** Where a client may download the content itself, or null. */
  linkTo(sha256: string, file: LinkedFile): Promise<string | null> {
    return this.objects.linkTo(keyOf(sha256), file);
  }

  /** Readers that have opened the content read on. */
  remove(sha256: string): Promise<void> {
    return this.objects.remove(keyOf(sha256));
  }

  /** Removes what arrived before, and was neither kept nor discarded: its process is gone. */
  async removeAbandoned(before: Date): Promise<void> {
    for (const name of await namesIn(this.incoming)) {
      const path = join(this.incoming, name);
      const found = await stat(path).catch(() => null);
      if (found && found.mtime < before) await rm(path, { force: true });
    }
  }

  /** One content has one key: what is there already is the same. */
  private async send(path: string, { sha256, md5, size }: Digested): Promise<void> {
    if (!this.objects.isRemote || (await this.objects.sizeOf(keyOf(sha256))) === size) return;
    await this.objects.put(keyOf(sha256), path, md5);
  }

  /** Its sender may have found it there, and somebody else removed it since. */
  private async keep(path: string, file: Digested): Promise<void> {
    if (this.objects.isRemote) await this.send(path, file);
    else await this.objects.put(keyOf(file.sha256), path);
    await rm(path, { force: true });
  }
}

const keyOf = (sha256: string): string => {
  if (!/^[\da-f]{64}$/.test(sha256)) throw new TypeError(`not a SHA-256: ${sha256}`);
  return `artifacts/sha256/${sha256.slice(0, 2)}/${sha256}`;
};

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}
