import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import { isUuid } from '@heddle/database';
import type { NextFunction, Request, Response } from 'express';
import type { EntityManager } from 'typeorm';

/** A receiver that calls the API because of a delivery passes on the `x-heddle-cause` that came with it. */
export const CAUSED_BY_HEADER = 'x-caused-by-execution';

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
    const execution = readCause(String(request.headers[CAUSED_BY_HEADER]));
    if (execution) cause.run(execution, next);
    else next();
  }
}

/** Id and token of an execution. The id alone proves nothing: everybody who may read the history knows it. */
function readCause(header: string): readonly [id: string, token: string] | null {
  const [id = '', token = '', ...more] = header.split('.');
  return isUuid(id) && isUuid(token) && more.length === 0 ? [id, token] : null;
}

/** The automations that led to what happens now, one because of the other; none led to what a person did. */
export async function causingChain(manager: EntityManager): Promise<string[]> {
  const given = cause.getStore();
  if (!given) return [];
  const [row] = await manager.query<{ chain: string[] }[]>(CHAIN, [...given]);
  return row?.chain.slice(-LONGEST_CHAIN) ?? [];
}
