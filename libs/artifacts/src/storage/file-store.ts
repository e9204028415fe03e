import type { Readable } from 'node:stream';

/** Content that has arrived whole and is durable, but not yet known by its digest. */
export interface ReceivedFile {
  /** Hex. */
  sha256: string;
  /** Hex: what some clients know contents by. It proves nothing. */
  md5: string;
  /** In bytes. */
  size: number;
  /** Makes it the content that {@link FileStore.open} finds: at once and durably, or not at all. */
  keep(): Promise<void>;
  /** Forgets it, unless it was kept. */
  discard(): Promise<void>;
}

/** First and last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Where the bytes of artifact files are, by their SHA-256. All processes of an instance share one. */
export abstract class FileStore {
  /**
   * Reads the source to its end. Memory stays flat.
   * @param length in bytes, where it was announced: what there is no room for is refused before it comes
   * @throws FileTooLargeError | UploadInterruptedError | NoRoomForFileError with nothing left behind
   */
  abstract receive(source: Readable, maxBytes: number, length?: number): Promise<ReceivedFile>;

  /** @returns null where there is no such content */
  abstract open(sha256: string, range?: ByteRange): Promise<Readable | null>;

  /** Readers that have opened the content read on. */
  abstract remove(sha256: string): Promise<void>;

  /**
   * Keeps a content for one who will read it later, should it be removed meanwhile: until he releases all that he holds.
   * @param holder a uuid @returns false where there is no such content
   */
  abstract hold(holder: string, sha256: string): Promise<boolean>;

  /** @returns a content that is held, and its size in bytes */
  abstract openHeld(holder: string, sha256: string): Promise<{ content: Readable; size: number }>;

  abstract release(holder: string): Promise<void>;

  /** Removes what was received before, and neither kept nor discarded: its process is gone. */
  abstract removeAbandoned(before: Date): Promise<void>;
}
