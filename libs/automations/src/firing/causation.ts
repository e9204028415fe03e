import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { EntityManager } from 'typeorm';

/** A receiver that calls the API because of a delivery passes on the `webhook-id` that came with it. */
export const CAUSED_BY_HEADER = 'x-caused-by-execution';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const DEPTH = `
  SELECT ev.depth FROM automation_executions e JOIN automation_events ev ON ev.id = e.event_id WHERE e.id = $1`;

const cause = new AsyncLocalStorage<string>();

/** Remembers for the length of a request which execution caused it. */
@Injectable()
export class CausationMiddleware implements NestMiddleware {
  use(request: Request, _response: Response, next: NextFunction): void {
    const id = request.headers[CAUSED_BY_HEADER];
    if (typeof id === 'string' && UUID.test(id)) cause.run(id, next);
    else next();
  }
}

/** How many automations led to what happens now: 0 for what a person did. */
export async function causedDepth(manager: EntityManager): Promise<number> {
  const id = cause.getStore();
  if (id === undefined) return 0;
  const [row] = await manager.query<{ depth: number }[]>(DEPTH, [id]);
  return row ? row.depth + 1 : 0;
}
