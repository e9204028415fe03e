import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Env } from '@heddle/config';
import { createLogger, PinoLoggerService, requestLog } from '@heddle/http';
import { WorkerModule } from './worker.module.js';

/** Builds the worker on a database and queues that are ready (see main.ts); the caller makes its health routes listen. */
export async function createWorker(env: Env): Promise<NestExpressApplication> {
  const logger = createLogger('worker', env.LOG_LEVEL);
  const app = await NestFactory.create<NestExpressApplication>(WorkerModule.forRoot(env), {
    bodyParser: false,
    logger: new PinoLoggerService(logger),
    abortOnError: false,
  });
  app.disable('x-powered-by').disable('etag');
  app.use(requestLog(logger));
  return app;
}
