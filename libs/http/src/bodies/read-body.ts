import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import { ApiError } from '../errors/api-error.js';

/** A body of which nothing comes for as long has no end. */
export const BODY_STALL_SECONDS = 30;
/** Nor has one that comes drop by drop. */
const PATIENCE: Patience = { stallSeconds: BODY_STALL_SECONDS, totalSeconds: 300 };

interface Patience {
  stallSeconds: number;
  totalSeconds: number;
}

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Reads a request's body of at most `limit` bytes (after decompression). Beyond it is a 413, at once: when the length is
 * announced or when the limit is passed, and whatever else is on its way is not waited for.
 *
 * A body that says how long it is goes into one buffer as it arrives: joining the chunks of 30 MiB at the end would take
 * twice the memory and block everybody else.
 */
export async function readBody(request: Request, limit: number, patience = PATIENCE): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) throw new BodyTooLargeError(limit);
  if (encoding === 'identity') return collect(request, request, { limit, length: announced, ...patience });
  const decoder = DECODERS[encoding.toLowerCase()]?.();
  if (!decoder) throw new ApiError(415, 'unsupported_media_type', `Unsupported content encoding '${encoding}'`);
  try {
    return await collect(request, request.pipe(decoder), { limit, length: 0, ...patience });
  } finally {
    request.unpipe(decoder);
    decoder.destroy();
  }
}

/** The rest of the body is not read: the connection ends with the answer. */
class BodyTooLargeError extends ApiError {
  constructor(limit: number) {
    super(413, 'payload_too_large', `The body has more than ${limit} bytes`, { connection: 'close' });
  }
}

interface Expected extends Patience {
  limit: number;
  /** As announced, of this many bytes; 0: unknown. */
  length: number;
}

function collect(request: Request, source: Readable, expected: Expected): Promise<Buffer> {
  const { limit, length, stallSeconds, totalSeconds } = expected;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [whole, read] = [undefined as Buffer | undefined, 0];
    const stalled = setTimeout(() => end(stalledError(stallSeconds)), stallSeconds * 1000).unref();
    const late = setTimeout(() => end(stalledError(totalSeconds)), totalSeconds * 1000).unref();
    const end = (error?: unknown): void => {
      clearTimeout(stalled);
      clearTimeout(late);
      source.removeListener('data', onData);
      if (error === undefined) return resolve(whole ?? Buffer.concat(chunks, read));
      source.pause();
      reject(error as Error);
    };
    const onData = (chunk: Buffer): void => {
      stalled.refresh();
      if (read + chunk.length > limit) return end(new BodyTooLargeError(limit));
      // Most bodies come in one piece. Pages of a new buffer that were never written to take no memory yet, so that a mere
      // announcement costs nothing.
      if (length === 0) chunks.push(chunk);
      else if (chunk.length === length) whole = chunk;
      else chunk.copy((whole ??= Buffer.allocUnsafeSlow(length)), read);
      read += chunk.length;
    };
    source.on('data', onData);
    source.once('end', () => end());
    source.once('error', (error: unknown) => end(source === request ? aborted(error) : unreadable(error)));
    if (request.destroyed) end(aborted(request.errored));
    else request.once('close', () => request.readableEnded || end(aborted()));
  });
}

const aborted = (cause?: unknown): ApiError =>
  new ApiError(400, 'request_aborted', 'The request ended before its body did', {}, { cause });

const unreadable = (cause: unknown): ApiError =>
  new ApiError(400, 'bad_request', "The body can't be decompressed", { connection: 'close' }, { cause });

export const stalledError = (seconds: number): ApiError =>
  new ApiError(408, 'request_timeout', `The body did not come within ${seconds} s`, { connection: 'close' });
