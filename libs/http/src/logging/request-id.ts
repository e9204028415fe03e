import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const HEADER = 'x-request-id';
const ids = new WeakMap<IncomingMessage, string>();

/** Gives the request its id: the caller's own if it is a sane one, so that logs can be joined across services. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers[HEADER];
  const id = typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID();
  ids.set(request, id);
  response.setHeader(HEADER, id);
  return id;
}

export function requestIdOf(request: IncomingMessage): string {
  return ids.get(request) ?? '';
}
