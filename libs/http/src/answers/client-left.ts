import type { Response } from 'express';
import { ApiError } from '../errors/api-error.js';

/** Nobody reads it: for the log. */
export class ClientLeftError extends ApiError {
  constructor() {
    super(499, 'client_left', 'The client left before its answer was whole');
  }
}

/** Aborted when the connection closes before the answer's end, so that nobody works for a client that left. */
export function clientLeft(response: Response): AbortSignal {
  const left = new AbortController();
  if (response.destroyed || response.closed) left.abort();
  response.once('close', () => response.writableFinished || left.abort());
  return left.signal;
}
