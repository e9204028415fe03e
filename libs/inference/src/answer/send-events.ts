import { once } from 'node:events';
import type { Response } from 'express';

const EVENTS = 'text/event-stream; charset=utf-8';
const HEADERS = {
  'cache-control': 'no-cache',
  // Proxies that gather what passes would keep the tokens.
  'x-accel-buffering': 'no',
};

/**
 * Writes a stream's events as fast as the client takes them: while it takes nothing no more are asked for, and one that
 * takes nothing for `stallMs` is disconnected.
 * @param pieces throws only where nothing can be said any more
 */
export async function sendEvents(
  pieces: AsyncIterable<string>,
  response: Response,
  left: AbortSignal,
  stallMs: number,
  type = EVENTS,
): Promise<void> {
  response.status(200).set({ ...HEADERS, 'content-type': type });
  for await (const piece of pieces) {
    if (left.aborted) return;
    if (piece === '' || response.write(piece)) continue;
    const stalled = AbortSignal.any([left, AbortSignal.timeout(stallMs)]);
    try {
      await once(response, 'drain', { signal: stalled });
    } catch {
      response.destroy();
      return;
    }
  }
  response.end();
}
