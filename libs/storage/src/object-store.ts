import type { Readable } from 'node:stream';

/** First and last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredObject {
  key: string;
  modifiedAt: Date;
}

/** What a client that follows a link sees of the object. */
export interface LinkedFile {
  name: string;
  type: string;
}

/**
 * Files of an instance by their keys (`artifacts/sha256/ab/abcd...`): whole or not at all, and durable once they are there.
 * All processes of an instance see the same ones.
 */
export abstract class ObjectStore {
  /** Whether files are copied to another machine, which takes a while; otherwise they are renamed on this one's disk. */
  abstract readonly isRemote: boolean;

  /**
   * Puts a file of this disk at a key, in place of what is there. It is moved there, or else still to be removed.
   * @param md5 in hex, where it is known: what arrives must have it
   * @throws FilesUnavailableError
   */
  abstract put(key: string, path: string, md5?: string): Promise<void>;

  /** Whoever has opened an object reads on when it is removed. @returns null where there is none @throws FilesUnavailableError */
  abstract open(key: string, range?: ByteRange): Promise<Readable | null>;

  /** @returns bytes, or null where there is no such object @throws FilesUnavailableError */
  abstract sizeOf(key: string): Promise<number | null>;

  abstract remove(key: string): Promise<void>;

  /** All objects below a folder, in no order. */
  abstract list(folder: string): AsyncGenerator<StoredObject>;

  /** An address that gives the object to whoever has it, for an hour; null where clients are to be served from here. */
  abstract linkTo(key: string, file: LinkedFile): Promise<string | null>;

  /** @throws FilesUnavailableError where the store can't be reached, or doesn't let us in */
  abstract check(): Promise<void>;
}

/** Letters, digits and what stands in our keys. @throws TypeError for one that could lead elsewhere */
export function checkKey(key: string): string {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key)) throw new TypeError(`not a key of a file: ${key}`);
  return key;
}
