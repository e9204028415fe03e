import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';

/** Rows come as a stream of unknown length, and an entry of a tar says its own first: a table is cut into parts. */
const PART_BYTES = 4 * 1024 * 1024;

/** Whoever took the tar took no more of it. */
export class TarEndedError extends Error {
  readonly code = 'tar_ended';

  constructor() {
    super('The archive ended before everything was in it');
    this.name = 'TarEndedError';
  }
}

/** A tar that is written piece by piece, in no more memory than a piece takes. */
export class TarWriter {
  private readonly tar = pack();
  private readonly written: Promise<void>;

  /** @param take writes what comes where it belongs: to a file, or into an answer */
  constructor(take: (tar: Readable) => Promise<void>) {
    this.written = take(this.tar as unknown as Readable);
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

  /** A disk that is full, or a client that left, stops the tar, which then waits for ever. */
  private async failed(): Promise<never> {
    await this.written;
    throw new TarEndedError();
  }
}
