import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { BackupError } from './backup.errors.js';

/** Rows come as a stream of unknown length, and an entry of a tar says its own first: a table is cut into parts. */
const PART_BYTES = 4 * 1024 * 1024;

/** A compressed tar that is written piece by piece, in no more memory than a piece takes. */
export class ArchiveWriter {
  private readonly tar = pack();
  private readonly written: Promise<void>;

  constructor(path: string) {
    // The weakest compression is 3 times as fast as the usual one.
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    this.written = pipeline(this.tar, gzip, file);
    this.written.catch(() => undefined);
  }

  async text(name: string, value: object): Promise<void> {
    await this.bytes(name, Buffer.from(JSON.stringify(value)));
  }

  /** @param name of its parts: `name/0`, `name/1` */
  async parts(name: string, source: AsyncIterable<Buffer>): Promise<void> {
    let [chunks, length, number] = [[] as Buffer[], 0, 0];
    for await (const chunk of source) {
      chunks.push(chunk);
      length += chunk.length;
      if (length < PART_BYTES) continue;
      await this.bytes(`${name}/${number++}`, Buffer.concat(chunks, length));
      [chunks, length] = [[], 0];
    }
    await this.bytes(`${name}/${number}`, Buffer.concat(chunks, length));
  }

  async file(name: string, size: number, source: Readable): Promise<void> {
    const entry = this.tar.entry({ name, size });
    await Promise.race([pipeline(source, entry), this.failed()]);
  }

  async end(): Promise<void> {
    this.tar.finalize();
    await this.written;
  }

  private async bytes(name: string, bytes: Buffer): Promise<void> {
    const entry = this.tar.entry({ name, size: bytes.length });
    const done = once(entry, 'finish');
    entry.end(bytes);
    await Promise.race([done, this.failed()]);
  }

  /** A disk that is full stops the tar, which then waits for ever. */
  private async failed(): Promise<never> {
    await this.written;
    throw new BackupError('The archive ended before everything was in it');
  }
}

export interface ArchiveEntry {
  name: string;
  size: number;
  /** To be read before the next entry comes. */
  content: Readable;
}

/** Entry by entry; what is wrong with the file shows while it, or an entry's content, is read: see {@link readingFailure}. */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const tar = extract();
  const reading = pipeline(createReadStream(path), createGunzip(), tar);
  reading.catch(() => undefined);
  for await (const entry of tar) {
    yield { name: entry.header.name, size: entry.header.size ?? 0, content: entry as unknown as Readable };
    entry.resume();
  }
  await reading;
}

/** What an operator is told of a file that can't be read, is no archive, or was cut off; other errors as they are. */
export function readingFailure(path: string, error: unknown): unknown {
  if (error instanceof BackupError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'EACCES') return new BackupError(`${path}: ${message}`, { cause: error });
  const isBroken = code?.startsWith('Z_') || /tar|end of (data|file)|Premature/i.test(message);
  return isBroken ? new BackupError(`${path} is no backup, or was cut off`, { cause: error }) : error;
}

export async function textOf({ content }: ArchiveEntry): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
