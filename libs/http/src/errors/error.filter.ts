import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { isStillSending, lingerAfterAnswer } from '../bodies/lingering-close.js';
import { ApiError, ValidationError } from './api-error.js';
import { dialectOf, errorBody, unknownRouteBody } from './error-body.js';
import { codeOf } from './error-codes.js';
import { requestIdOf } from '../logging/request-id.js';
import { unavailableFor } from './unavailable.errors.js';
import { UnknownRouteError } from './unknown-route.error.js';

/** The only place that turns an error into an answer. A client never sees a stack, nor an internal error's message. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('ErrorFilter');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = toApiError(thrown, request);
    if (error.status >= 500) this.log(thrown, error, requestIdOf(request));
    if (response.headersSent) {
      // Half an answer must not look like a whole one.
      response.destroy();
      return;
    }
    const closes = error.headers['connection'] === 'close' || isStillSending(request);
    if (closes) lingerAfterAnswer(request);
    response.status(statusOf(error, request)).set({ ...error.headers, ...(closes ? { connection: 'close' } : {}) });
    response.json(bodyOf(error, request));
  }

  /** A 503 that was meant says what it waits for, such as a download: nobody has to look for its cause. */
  private log(thrown: unknown, error: ApiError, requestId: string): void {
    if (error !== thrown && error.status === 503) {
      // Every request of an outage says the same: a line each, without the way that led there.
      const { code, message } = thrown as Error & { code?: unknown };
      this.logger.warn({ code: error.code, requestId, reason: { code, message } }, error.message);
    } else if (thrown instanceof ApiError && thrown.status === 503 && thrown.cause === undefined) {
      this.logger.warn({ code: thrown.code, requestId }, thrown.message);
    } else {
      this.logger.error({ err: thrown, requestId }, 'request failed');
    }
  }
}

/** OpenAI's clients know no 422. */
function statusOf(error: ApiError, { path }: Request): number {
  return error instanceof ValidationError && dialectOf(path) === 'openai' ? 400 : error.status;
}

function bodyOf(error: ApiError, request: Request): Record<string, unknown> {
  const id = requestIdOf(request);
  if (error instanceof UnknownRouteError) return unknownRouteBody(error, request.path, id);
  return errorBody(error, dialectOf(request.path), id);
}

function toApiError(thrown: unknown, { method, path }: Request): ApiError {
  if (thrown instanceof ApiError) return thrown;
  // Nest's own, which nothing but its router throws.
  if (thrown instanceof NotFoundException) return new UnknownRouteError(method, path);
  if (thrown instanceof HttpException) {
    const status = thrown.getStatus();
    return new ApiError(status, codeOf(status), thrown.message);
  }
  // Errors of Express's own middlewares (http-errors): `expose` says whether the message is for the client.
  if (isHttpError(thrown)) return new ApiError(thrown.status, codeOf(thrown.status), thrown.message);
  return unavailableFor(thrown) ?? new ApiError(500, 'internal_error', 'Internal server error');
}

function isHttpError(thrown: unknown): thrown is { status: number; message: string } {
  return thrown instanceof Error && 'expose' in thrown && thrown.expose === true && 'status' in thrown;
}
