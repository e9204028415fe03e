import type { Request, Response } from 'express';
import { raw } from 'express';
import { ApiError } from './api-error.js';

/**
 * Reads a request's body of at most `limit` bytes (after decompression); beyond it is a 413.
 *
 * A body that says how long it is goes into one buffer as it arrives: joining the chunks of 30 MiB at the end would take
 * twice the memory and block everybody else. All others (chunked, compressed) are for Express's own reader.
 */
export async function readBody(request: Request, response: Response, limit: number): Promise<Buffer> {
  const length = Number(request.headers['content-length']);
  const isPlain = request.headers['content-encoding'] === undefined && Number.isSafeInteger(length) && length <= limit;
  if (isPlain) return readExactly(request, length);
  const read = raw({ type: () => true, limit });
  await new Promise<void>((resolve, reject) => {
    read(request, response, (error?: unknown) => (error ? reject(error as Error) : resolve()));
  });
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** Node's HTTP parser holds a body to its declared length; a client that leaves early ends in an error. */
function readExactly(request: Request, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let body: Buffer | undefined;
    let read = 0;
    request.on('data', (chunk: Buffer) => {
      // Most bodies come in one piece. Pages of a new buffer that were never written to take no memory yet, so that a mere
      // announcement costs nothing.
      if (chunk.length === length) body = chunk;
      else read += chunk.copy((body ??= Buffer.allocUnsafeSlow(length)), read);
    });
    request.once('end', () => resolve(body ?? Buffer.alloc(0)));
    const abort = (cause?: unknown): void =>
      reject(new ApiError(400, 'request_aborted', 'The request ended before its body did', {}, { cause }));
    request.once('error', abort);
    if (request.destroyed) abort(request.errored);
    else request.once('close', () => request.readableEnded || abort());
  });
}
