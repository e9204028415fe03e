import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { assignRequestId, requestIdOf } from './request-id.js';

/** Probes and scrapes come every few seconds and say nothing when they succeed. */
const QUIET = /^\/(health|metrics|v1\/health)(\/|$|\?)/;

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Gives each request its id and writes one line when its answer ends. Bodies, queries and headers are never logged. */
export function requestLog(logger: Logger): Middleware {
  return (request, response, next) => {
    const started = performance.now();
    assignRequestId(request, response);
    const path = request.url?.split('?', 1)[0] ?? '';
    response.once('close', () => {
      const line = {
        requestId: requestIdOf(request),
        method: request.method,
        path,
        status: response.statusCode,
        durationMs: Math.round(performance.now() - started),
      };
      if (!response.writableFinished) logger.warn(line, 'request aborted');
      else if (QUIET.test(path) && response.statusCode < 400) logger.debug(line, 'request');
      else logger.info(line, 'request');
    });
    next();
  };
}
