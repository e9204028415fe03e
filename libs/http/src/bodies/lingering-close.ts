import type { Request } from 'express';

/** What is on its way is read faster than a connection is made anew. */
const SMALL_BODY_BYTES = 1024 * 1024;

/** Whether so much of the body is to come, or nobody knows how much, that it is not worth waiting for once all is said. */
export function isStillSending({ complete, headers }: Pick<Request, 'complete' | 'headers'>): boolean {
  if (complete) return false;
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > SMALL_BODY_BYTES;
}

/** A client that is still sending has as long to read the answer. */
const LINGER_SECONDS = 5;

/**
 * Lets the connection end after the answer in a way that a client gets to read it, though it is still sending its body: a
 * connection that is closed with bytes unread is reset, and what was answered before is lost with it. What still comes is
 * read and thrown away until the client closes, or for so many seconds.
 */
export function lingerAfterAnswer(request: Request, seconds = LINGER_SECONDS): void {
  const { socket } = request;
  // By which Node.js ends a connection after its last answer.
  socket.destroySoon = () => {
    socket.end();
    request.resume();
    const timer = setTimeout(() => socket.destroy(), seconds * 1000).unref();
    socket.once('close', () => clearTimeout(timer));
  };
}
