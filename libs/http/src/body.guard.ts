import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { ValidationError } from './api-error.js';
import { BODY_KIND, BODY_LIMIT } from './body.decorators.js';
import { readBody } from './read-body.js';

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
    if (kind === 'stream') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const limit = this.reflector.getAllAndOverride<number | undefined>(BODY_LIMIT, targets) ?? DEFAULT_LIMIT_MIB;
    const bytes = await readBody(request, context.switchToHttp().getResponse<Response>(), limit * 1024 * 1024);
    request.body = kind === 'raw' ? bytes : parseJson(bytes);
    return true;
  }
}

function parseJson(bytes: Buffer): unknown {
  // No body at all reads as an empty object, so that the answer names each missing field.
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw ValidationError.at(['body'], `Invalid JSON: ${(error as Error).message.slice(0, 80)}`, 'json_invalid');
  }
}
