import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { dialectOf, errorBody } from '../errors/error-body.js';
import { requestIdOf } from '../logging/request-id.js';
import { BODY_KIND, BODY_LIMIT } from './body.decorators.js';
import { parseJsonBody } from './json-body.js';
import { markLenient } from './lenient-bodies.js';
import { BODY_STALL_SECONDS, readBody, stalledError } from './read-body.js';
import { ignoresUnknownFields } from './unknown-fields.js';

const DEFAULT_LIMIT_MIB = 2;

/**
 * Reads the request body. Not a middleware, since the guards of other modules that are imported earlier come first: nobody
 * uploads megabytes before showing a key. Not an interceptor either, for which Nest makes a dozen Observables a request.
 * JSON is parsed whatever the content type says, since some clients send none.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const targets = [context.getHandler(), context.getClass()];
    const kind = this.reflector.getAllAndOverride<'raw' | 'stream' | undefined>(BODY_KIND, targets);
    const request = context.switchToHttp().getRequest<Request>();
    if (kind === 'stream') return endIfStalled(request, context.switchToHttp().getResponse<Response>());
    const limit = this.reflector.getAllAndOverride<number | undefined>(BODY_LIMIT, targets) ?? DEFAULT_LIMIT_MIB;
    const bytes = await readBody(request, limit * 1024 * 1024);
    request.body = kind === 'raw' ? bytes : await parseJsonBody(bytes);
    if (ignoresUnknownFields(request.path)) markLenient(request.body);
    return true;
  }
}

/** An upload may take hours, as long as something comes. Its handler, which reads, hears that the request was cut off. */
export function endIfStalled(request: Request, response: Response, stallSeconds = BODY_STALL_SECONDS): true {
  const end = (): void => {
    if (response.headersSent) return void request.destroy();
    const error = stalledError(stallSeconds);
    response.once('finish', () => request.destroy());
    response.status(error.status).set(error.headers);
    response.json(errorBody(error, dialectOf(request.path), requestIdOf(request)));
  };
  request.setTimeout(stallSeconds * 1000, end);
  request.once('end', () => request.setTimeout(0));
  return true;
}
