import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { ValidationError } from './api-error.js';
import { BODY_KIND, BODY_LIMIT } from './body.decorators.js';
import { readBody } from './read-body.js';

const DEFAULT_LIMIT_MIB = 2;

/**
 * Reads the request body. It is an interceptor, not a middleware, so that guards come first: nobody uploads megabytes
 * before showing a key. JSON is parsed whatever the content type says, since some clients send none.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const targets = [context.getHandler(), context.getClass()];
    const kind = this.reflector.getAllAndOverride<'raw' | 'stream' | undefined>(BODY_KIND, targets);
    if (kind === 'stream') return next.handle();
    const request = context.switchToHttp().getRequest<Request>();
    const limit = this.reflector.getAllAndOverride<number | undefined>(BODY_LIMIT, targets) ?? DEFAULT_LIMIT_MIB;
    const bytes = await readBody(request, context.switchToHttp().getResponse<Response>(), limit * 1024 * 1024);
    request.body = kind === 'raw' ? bytes : parseJson(bytes);
    return next.handle();
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
