import type { Readable } from 'node:stream';
import type { Request } from 'express';

/** Content on its way here. */
export interface Incoming {
  content: Readable;
  /** In bytes, where it was announced. */
  length: number | undefined;
}

/** The body of a request that nobody has read. */
export function incomingOf(request: Request): Incoming {
  const length = request.get('content-length');
  return { content: request, length: length === undefined ? undefined : Number(length) };
}
