import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { ClientLeftError } from './calls-query.errors.js';

/** Aborted when the connection closes, so that nobody works for a client that left. */
export function clientLeft(response: Response): AbortSignal {
  const left = new AbortController();
  response.once('close', () => left.abort());
  return left.signal;
}

/**
 * Answers with JSON lines as fast as the client takes them. The first chunk is there before the headers go out, so that
 * a query that fails is an error as any other; when a later one fails, the connection breaks, and no client takes half an
 * answer for a whole one.
 * @param stallMs longest that the client may take nothing
 */
export async function streamLines(
  chunks: AsyncGenerator<Buffer>,
  response: Response,
  left: AbortSignal,
  stallMs: number,
): Promise<void> {
  const first = await chunks.next();
  response.status(200).type('application/jsonl');
  if (first.done) {
    response.end();
    return;
  }
  let failure: unknown;
  const all = async function* (): AsyncGenerator<Buffer> {
    try {
      yield first.value;
      yield* chunks;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  response.setTimeout(stallMs, () => response.destroy());
  try {
    // One chunk at a time: each is large already.
    await pipeline(Readable.from(all(), { objectMode: false, highWaterMark: 1 }), response);
  } catch (error) {
    throw failure ?? (left.aborted ? new ClientLeftError() : error);
  }
}
