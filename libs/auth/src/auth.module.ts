import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthGuard } from './auth.guard.js';
import { BasicKeyStrategy } from './basic-key.strategy.js';
import { BearerKeyStrategy } from './bearer-key.strategy.js';
import { KeyUsageService } from './key-usage.service.js';
import { PrincipalRepository } from './principal.repository.js';
import { PrincipalsService } from './principals.service.js';

/** Closes every route of the process that imports it, but to those whom `@Authenticated` or `@Public` lets in. */
@Global()
@Module({
  providers: [
    { provide: APP_GUARD, useClass: AuthGuard },
    BasicKeyStrategy,
    BearerKeyStrategy,
    KeyUsageService,
    PrincipalRepository,
    PrincipalsService,
  ],
  exports: [PrincipalsService],
})
export class AuthModule {}
