import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { PromisedRoom } from '@heddle/files';
import { FileTooLargeError, UploadInterruptedError } from '../artifacts.errors.js';

export interface Digested {
  /** Hex. */
  sha256: string;
  /** Hex: what some clients know contents by. It proves nothing. */
  md5: string;
  /** In bytes. */
  size: number;
}

/** Takes a source to a new file, whose content is on the disk when this ends. */
export async function writeDurably(
  path: string,
  source: Readable,
  maxBytes: number,
  promised: PromisedRoom | undefined,
): Promise<Digested> {
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
