import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Env } from '@heddle/config';
import { createLogger, PinoLoggerService, requestLog } from '@heddle/http';
import type { NextFunction, Request, Response } from 'express';
import { ApiModule } from './api.module.js';
import { serveDocs } from './docs/serve-docs.js';

/** Builds the API on a database and queues that are ready (see main.ts); the caller makes it listen. */
export async function createApi(env: Env): Promise<NestExpressApplication> {
  const logger = createLogger('api', env.LOG_LEVEL);
  const app = await NestFactory.create<NestExpressApplication>(ApiModule.forRoot(env), {
    // Bodies are read after the guards: see BodyGuard.
    bodyParser: false,
    logger: new PinoLoggerService(logger),
    abortOnError: false,
  });
  app.disable('x-powered-by').disable('etag');
  app.use(requestLog(logger), tracesPrefix, noSniff);
  // Bodies have their own limits of time (see readBody); one for all would end an upload of gigabytes.
  (app.getHttpServer() as Server).requestTimeout = 0;
  serveDocs(app, env.PUBLIC_URL);
  return app;
}

/** The tracing API is served at the root and under `/traces`: one set of routes, two addresses. */
function tracesPrefix(request: Request, _response: Response, next: NextFunction): void {
  if (request.url.startsWith('/traces/')) request.url = request.url.slice('/traces'.length);
  next();
}

function noSniff(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('x-content-type-options', 'nosniff');
  next();
}
