import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { ClientLeftError } from '@heddle/http';

/**
 * Answers with JSON lines as fast as the client takes them. The first chunk is there before the headers go out, so that
 * a query that fails is an error as any other; when a later one fails, the connection breaks, and no client takes half an
 * answer for a whole one.
 * @param stallMs longest that the client may take nothing
 */
export async function streamLines(chunks: AsyncGenerator<Buffer>, response: Response, stallMs: number): Promise<void> {
  const first = await chunks.next();
  response.status(200).type('application/jsonl');
  if (first.done) {
    response.end();
    return;
  }
  let failure: unknown;
  const advance = (): Promise<IteratorResult<Buffer>> =>
    chunks.next().catch((error: unknown) => {
      failure = error;
      throw error;
    });
  const all = async function* (): AsyncGenerator<Buffer> {
    try {
      for (let next: IteratorResult<Buffer> = first; !next.done; next = await advance()) {
        // Node throws in here what befalls the response; `failure` is what befell the source.
        yield next.value;
      }
    } finally {
      await chunks.return(undefined);
    }
  };
  response.setTimeout(stallMs, () => response.destroy());
  try {
    // One chunk at a time: each is large already.
    await pipeline(Readable.from(all(), { objectMode: false, highWaterMark: 1 }), response);
  } catch {
    // What didn't fail on our side of the pipe failed on theirs.
    throw failure ?? new ClientLeftError();
  }
}
