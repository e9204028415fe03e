import { Global, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { BodyGuard } from './bodies/body.guard.js';
import { ErrorFilter } from './errors/error.filter.js';
import { QueryGuard } from './queries/query.guard.js';
import { exactAnswers } from './send-json.js';
import { ApiValidationPipe } from './bodies/api-validation.pipe.js';

/** What every route has in common: how its body is read and checked, and how its errors look. */
@Global()
@Module({
  providers: [
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useClass: QueryGuard },
    { provide: APP_GUARD, useClass: BodyGuard },
    { provide: APP_PIPE, useClass: ApiValidationPipe },
  ],
})
export class HttpModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(exactAnswers).forRoutes('{*path}');
  }
}
