import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { EntityManager } from 'typeorm';

/** A receiver that calls the API because of a delivery passes on the `x-heddle-cause` that came with it. */
export const CAUSED_BY_HEADER = 'x-caused-by-execution';

/** Id and token of an execution. The id alone proves nothing: everybody who may read the history knows it. */
const CAUSE = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** A chain is looked at this far back; no automation fires as often in it. */
const LONGEST_CHAIN = 100;

const CHAIN = `
  SELECT ev.chain || e.automation_id AS chain
    FROM automation_executions e JOIN automation_events ev ON ev.id = e.event_id
   WHERE e.id = $1 AND e.cause_token = $2`;

const cause = new AsyncLocalStorage<readonly [id: string, token: string]>();

/** Remembers for the length of a request which execution caused it. */
@Injectable()
export class CausationMiddleware implements NestMiddleware {
  use(request: Request, _response: Response, next: NextFunction): void {
    const [, id, token] = CAUSE.exec(String(request.headers[CAUSED_BY_HEADER])) ?? [];
    if (id && token) cause.run([id, token], next);
    else next();
  }
}

/** The automations that led to what happens now, one because of the other; none led to what a person did. */
export async function causingChain(manager: EntityManager): Promise<string[]> {
  const given = cause.getStore();
  if (!given) return [];
  const [row] = await manager.query<{ chain: string[] }[]>(CHAIN, [...given]);
  return row?.chain.slice(-LONGEST_CHAIN) ?? [];
}
